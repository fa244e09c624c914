# SPDX-License-Identifier: GPL-2.0-or-later
"""Drives a headless Chromium by WebDriver, with nothing but the standard library.

usage: browser.py PAGE [SIZE [light|dark]] < SCRIPT

Each line of SCRIPT is a command, and what it has to say is printed, a line each:

	js EXPRESSION       its value in the page, as JSON
	click EXPRESSION    press the mouse at [x, y], in the window, which it says
	keys TEXT           press keys; <Enter>, <Escape>, <ArrowDown>, ... are one each
	shot FILE           save a picture (PNG)
"""
import base64
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request

KEYS = {"Escape": "\ue00c", "Enter": "\ue007", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
        "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Tab": "\ue004"}


class Browser:
    def __init__(self, size, scheme):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            port = re.search(r"successfully on port (\d+)", line)
            if port:
                break
        self.base = "http://127.0.0.1:%s" % port[1]
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu",
                            "--disable-dev-shm-usage", "--hide-scrollbars"]}
        self.base += "/session/" + self.call("/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
            "timeouts": {"pageLoad": 300000, "script": 300000}}}})["sessionId"]
        width, height = (int(n) for n in size.split("x"))
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=width < 500)
        self.cdp("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": scheme}])

    def call(self, path, args=None):
        body = json.dumps({} if args is None else args).encode()
        request = urllib.request.Request(self.base + path, body,
                                         {"Content-Type": "application/json"})
        try:
            return json.load(urllib.request.urlopen(request, timeout=400))["value"]
        except urllib.error.HTTPError as error:
            sys.exit("%s: %s" % (path, json.load(error)["value"]["message"]))

    def cdp(self, command, **params):
        return self.call("/goog/cdp/execute", {"cmd": command, "params": params})

    def js(self, expression):
        return self.call("/execute/sync", {"script": "return " + expression, "args": []})

    def click(self, expression):
        x, y = (round(n) for n in self.js(expression))
        move = {"type": "pointerMove", "duration": 0, "x": x, "y": y}
        self.call("/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]})

    def keys(self, text):
        actions = []
        for key, char in re.findall(r"<(\w+)>|(.)", text):
            value = KEYS[key] if key else char
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.call("/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def shot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call_get("/screenshot")))

    def call_get(self, path):
        return json.load(urllib.request.urlopen(self.base + path, timeout=400))["value"]

    def close(self):
        try:
            urllib.request.urlopen(urllib.request.Request(self.base, method="DELETE"), timeout=60)
        finally:
            self.driver.terminate()
            self.driver.wait()


def main():
    browser = Browser(*(sys.argv[2:] + ["1280x900", "light"][len(sys.argv) - 2:]))
    try:
        browser.call("/url", {"url": sys.argv[1]})
        for line in sys.stdin:
            what, _, rest = line.strip().partition(" ")
            if what == "js":
                print(json.dumps(browser.js(rest)))
            elif what:
                getattr(browser, what)(rest)
        for entry in browser.call("/se/log", {"type": "browser"}):
            print("log:", entry["message"])
    finally:
        browser.close()


if __name__ == "__main__":
    main()
