#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: long
# needs: SOFT_TRANSLATE CMD_SCRIPT
# seconds: 1200
#
# Programs of the machine, translated: each says what it says alone, ends in the same way, and is
# decoded without a gap; perf counts the same instructions. What is not installed is skipped.
# usage: zoo.sh [NAME...]: only these

. test/live/judge

wanted=$*
missing= long=
cd "$dir" || exit 1
export HOME="$dir" LC_ALL=C TZ=UTC0 PYTHONDONTWRITEBYTECODE=1

# What programs read.
i=0
while [ $((i += 1)) -le 3000 ]; do
	echo "line $i: $((i * 7919 % 10007)) word$((i % 37)) $((i * i % 1009))"
done > text
mkdir tree && for i in 1 2 3 4 5; do cp text tree/$i; done
cat > hello.c << 'END'
#include <stdio.h>
#include <math.h>
int main(int argc, char **argv)
{
	double x = 0;
	for (int i = 1; i < 3000; i++)
		x += sin(i) / i;
	printf("hello %d %.6f\n", argc, x);
	return 5;
}
END
cat > throw.cc << 'END'
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
static int deep(int n) { if (!n) throw std::runtime_error("bottom"); return deep(n - 1) + 1; }
int main()
{
	std::map<std::string, int> m;
	int caught = 0;
	std::thread t([&] { for (int i = 0; i < 200; i++) m[std::to_string(i % 17)]++; });
	t.join();
	for (int i = 0; i < 100; i++)
		try { deep(i % 20); } catch (const std::exception &e) { caught++; }
	std::printf("%d %zu\n", caught, m.size());
}
END
cat > hello.go << 'END'
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	sums := make([]int, 8)
	for i := range sums {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			for k := 0; k < 100000; k++ {
				sums[i] = sums[i]*31 + k
			}
		}(i)
	}
	wg.Wait()
	func() { defer func() { fmt.Println(recover() != nil) }(); var p *int; *p = 1 }()
	fmt.Println(sums)
}
END
cat > hello.rs << 'END'
use std::collections::HashMap;
use std::thread;
fn main() {
    let hs: Vec<_> = (0..4u64)
        .map(|i| thread::spawn(move || (0..50000u64).fold(i, |a, b| a.wrapping_mul(31) + b)))
        .collect();
    let v: Vec<u64> = hs.into_iter().map(|h| h.join().unwrap()).collect();
    let mut m = HashMap::new();
    for i in 0..1000 { *m.entry(i % 13).or_insert(0) += i; }
    println!("{:?} {}", v, m.len());
    println!("{:?}", std::panic::catch_unwind(|| panic!("no")).is_err());
}
END
cat > Hello.java << 'END'
import java.util.*;
public class Hello {
	static int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
	public static void main(String[] a) throws Exception {
		Map<String, Integer> m = new HashMap<>();
		for (int i = 0; i < 20000; i++) m.merge("k" + i % 97, i, Integer::sum);
		Thread t = new Thread(() -> System.out.println(f(24)));
		t.start(); t.join();
		try { Object o = null; o.hashCode(); } catch (NullPointerException e) { System.out.println("npe"); }
		System.out.println(m.get("k5"));
	}
}
END
cat > some.js << 'END'
function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
const m = new Map();
for (let i = 0; i < 30000; i++) m.set('k' + i % 97, (m.get('k' + i % 97) || 0) + i);
console.log(f(24), m.get('k5'), JSON.stringify([...m.keys()].sort().slice(0, 3)),
	'a1b22c333'.replace(/[a-z](\d+)/g, (x, y) => y.length));
setTimeout(() => { console.log('later'); process.exitCode = 4; }, 5);
END
cat > some.py << 'END'
import ctypes, hashlib, json, re, sys, threading
libc = ctypes.CDLL(None)
V = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
a = (ctypes.c_int * 50)(*[i * 7919 % 101 for i in range(50)])
libc.qsort(a, 50, 4, V(lambda x, y: x[0] - y[0]))
out = []
ts = [threading.Thread(target=lambda i=i: out.append(sum(range(i * 1000)))) for i in range(4)]
[t.start() for t in ts]; [t.join() for t in ts]
print(list(a)[:5], sorted(out), hashlib.sha256(b'x' * 999).hexdigest(), len(re.findall(r'\w+', open('text').read())))
sys.exit(3)
END
printf 'all: a b c\n%%: text\n\t@sort text | md5sum; echo $@\n' > Makefile
printf 'run\nbacktrace\nquit\n' > gdb.in

# zoo NAME PROGRAM COMMAND: a shell command that uses PROGRAM
zoo() {
	case " $wanted " in *" $1 "* | '  ') ;; *) return ;; esac
	if ! command -v "$2" > /dev/null; then
		missing="$missing $1"
		return
	fi
	timeout 300 sh -c "$3" > plain.out 2> plain.err < /dev/null
	status=$?
	rm -f z.data*
	timeout 900 "$PT" record -q --soft=translate -o z.data sh -c "$3" > z.out 2> z.err < /dev/null
	is "$1 ends in the same way" "$? $(grep -c 'single steps' z.err)" "$status 0"
	cmp -s plain.out z.out
	same=$?
	is "$1 says the same" "$(head -c 300 z.out)" "$(head -c 300 plain.out)"
	is "... to the end" "$same$([ $same = 0 ] || tail -n 3 z.err)" 0
	if [ "$(stat -c %s z.data)" -gt 60000000 ]; then
		long="$long $1"
		return
	fi
	gaps=$("$PT" script -i z.data --itrace=e 2>&1)
	is "$1 is decoded without a gap" "$(echo "$gaps" | grep -c .) $(echo "$gaps" | head -n 3)" '0 '
	[ "$(stat -c %s z.data)" -lt 300000 ] || return
	command -v perf > /dev/null || return
	is "$1 has as many instructions to perf" \
		"$(perf script -i z.data --itrace=i0ns -F ip 2> /dev/null | wc -l)" \
		"$("$PT" script -i z.data --itrace=i0ns -F ip 2> /dev/null | wc -l)"
}

zoo true true 'true'
zoo ls ls 'ls -l / tree | wc -l'
zoo cat cat 'cat text | tail -n 3'
zoo sort sort 'sort -k 3 -n text | md5sum'
zoo grep grep 'grep -c "word1[0-9]" text; grep -E "^line (1|2)+:" text | tail -n 1'
zoo grep-P grep 'grep -P "(\d)\1 word(3|5)$|7{2} " text | md5sum'
zoo pcre2test pcre2test 'printf "/(a+)+b|c[^d]*d/jit\n aaab\n ccd\n xx\n\n/(?<n>\\w+)\\s\\k<n>/jit\n the the\n" > re; pcre2test -jit re'
zoo sed sed 'sed -e "s/word\([0-9]*\)/\1w/g;/9:/d" text | md5sum'
zoo awk awk 'awk "{ s[\$3] += \$2 } END { for (k in s) print k, s[k] }" text | sort | md5sum'
zoo gawk gawk 'gawk "BEGIN { for (i = 0; i < 20000; i++) x += sin(i); print x }"'
zoo mawk mawk 'mawk "BEGIN { for (i = 0; i < 20000; i++) x += sin(i); print x }"'
zoo tr tr 'tr a-z A-Z < text | md5sum'
zoo cut cut 'cut -d " " -f 2,4 text | md5sum'
zoo uniq uniq 'cut -d " " -f 4 text | sort | uniq -c | sort -n | tail -n 2'
zoo wc wc 'wc text'
zoo md5sum md5sum 'md5sum text'
zoo sha512sum sha512sum 'cat text text text | sha512sum'
zoo cksum cksum 'cksum text'
zoo base64 base64 'base64 text | md5sum'
zoo od od 'od -A x -t x4 text | md5sum'
zoo dd dd 'dd if=text bs=1000 count=20 2> /dev/null | md5sum'
zoo find find 'find tree -name "[1-3]" | sort'
zoo xargs xargs 'seq 20 | xargs -n 5 -P 1 echo'
zoo date date 'date -d @86400'
zoo diff diff 'sed s/word1/w/ text | diff text - | md5sum'
zoo expr expr 'expr 6 \* 7; expr abc : "a\(.*\)"'
zoo sleep sleep 'sleep 0.1; echo $?'
zoo timeout timeout 'timeout 0.2 sleep 5; echo $?'
zoo kill sh 'sh -c "kill -SEGV \$\$"; echo $?; kill -TERM $$'
zoo gzip gzip 'gzip -9 < text | gzip -d | md5sum'
zoo bzip2 bzip2 'bzip2 < text | bzip2 -d | md5sum'
zoo xz xz 'xz -T 2 < text | xz -d | md5sum'
zoo zstd zstd 'zstd -q -T2 < text | zstd -q -d | md5sum'
zoo tar tar 'tar -c tree | tar -t; tar -czf t.tgz tree && tar -xzOf t.tgz tree/3 | md5sum'
zoo cpio cpio 'find tree | cpio -o 2> /dev/null | cpio -t 2> /dev/null | sort'
zoo bash bash 'bash -c "a=(3 1 2); for i in \${a[@]}; do echo \$((i ** 2)); done | sort; (exit 7); echo \$?; exit 6"'
zoo dash dash 'dash -c "trap \"echo bye\" EXIT; for i in 1 2 3; do (echo \$i) & wait; done; exit 9"'
zoo make make 'make -s -j2 | sort'
zoo gcc gcc 'gcc -O2 -o hello hello.c -lm && ./hello a b'
zoo gxx g++ 'g++ -O1 -pthread -o throw throw.cc && ./throw'
zoo gfortran gfortran 'printf "program p\nprint *, 6*7\nend\n" > p.f90 && gfortran -o p p.f90 && ./p'
zoo as as 'echo "nop" | as -o o.o - && objdump -d o.o | tail -n 1'
zoo ld ld 'gcc -c hello.c && ld -r -o r.o hello.o && nm r.o'
zoo objdump objdump 'gcc -c hello.c && objdump -d hello.o | md5sum'
zoo readelf readelf 'readelf -hl "$(command -v sort)" | md5sum'
zoo strip strip 'gcc -o h2 hello.c -lm && strip h2 && ./h2'
zoo bison bison 'printf "%%%%\ns: \"a\" s | ;\n" > g.y; bison -o g.c g.y; echo $?'
zoo flex flex 'printf "%%%%\n[a-z]+ puts(yytext);\n" > l.l; flex -o l.c l.l; md5sum < l.c | wc -c'
zoo m4 m4 'echo "define(f, \`\$1 and \$2'"'"')f(a, b) eval(6*7)" | m4'
zoo python3 /usr/bin/python3 '/usr/bin/python3 some.py'
zoo pyenv python3 'python3 -c "import json, sqlite3; print(json.dumps({str(i): i * i for i in range(99)}))"'
zoo perl perl 'perl -e "my %h; while (<>) { \$h{\$1}++ if /(word\d+)/ } print join(\",\", map { \"\$_=\$h{\$_}\" } sort keys %h), \"\n\"; exit 2" text'
zoo ruby ruby 'ruby -e "puts File.readlines(%q(text)).map { |l| l.split.last.to_i }.sum; t = Thread.new { 1 + 1 }; p t.value; exit 3"'
zoo lua lua5.4 'lua5.4 -e "local s = 0 for i = 1, 200000 do s = s + i % 7 end print(s)"'
zoo luajit luajit 'luajit -e "local s = 0 for i = 1, 3000000 do s = s + i % 7 end print(s); local ffi = require(\"ffi\"); ffi.cdef[[int abs(int);]] for i = 1, 200 do s = s + ffi.C.abs(-i) end print(s)"'
zoo tcl tclsh 'echo "set s 0; for {set i 0} {\$i < 20000} {incr i} {incr s \$i}; puts \$s; exit 4" | tclsh'
zoo guile guile 'guile --no-auto-compile -c "(display (let loop ((i 0) (s 0)) (if (= i 100000) s (loop (+ i 1) (+ s i)))))"'
zoo php php 'php -n -r "\$a = []; for (\$i = 0; \$i < 20000; \$i++) \$a[\$i % 97] = (\$a[\$i % 97] ?? 0) + \$i; echo \$a[5], preg_replace(\"/(\\\\d)(?=5)/\", \"x\", \"152535\"); exit(3);"'
zoo node node 'node some.js'
zoo java java 'javac Hello.java && java -Xshare:auto Hello'
zoo go go 'GOCACHE=$PWD/gc GOFLAGS=-mod=mod go build -o hellogo hello.go && ./hellogo'
zoo rustc rustc 'rustc -O -o hellors hello.rs && ./hellors 2> /dev/null'
zoo erlang erl 'erl -noshell -eval "io:format(\"~p~n\", [lists:sum(lists:seq(1, 100000))]), halt(3)."'
zoo ocaml ocaml 'echo "let rec f n = if n < 2 then n else f (n-1) + f (n-2) in print_int (f 20);;" > f.ml; ocaml f.ml'
zoo ghc ghc 'echo "main = print (sum [1..100000 :: Int])" > m.hs; ghc -v0 -O m.hs && ./m'
zoo sbcl sbcl 'sbcl --noinform --non-interactive --eval "(progn (defun f (n) (if (< n 2) n (+ (f (- n 1)) (f (- n 2))))) (print (f 22)) (handler-case (error \"x\") (error () (print :caught))) (sb-ext:exit :code 5))"'
zoo prolog swipl 'swipl -g "numlist(1, 20000, L), sum_list(L, S), print(S), nl" -t halt'
zoo sqlite3 sqlite3 'sqlite3 :memory: "create table t(a, b); with recursive c(x) as (select 1 union all select x + 1 from c where x < 5000) insert into t select x, x * 7919 % 10007 from c; create index i on t(b); select count(*), sum(a), max(b) from t where b > 500; select group_concat(a) from (select a from t order by b limit 5)"'
zoo jq jq 'seq 2000 | jq -s "map(. * 2) | add"'
zoo bc bc 'echo "scale=200; 4*a(1)" | bc -l'
zoo dc dc 'echo "2 3000^ p" | dc | md5sum'
zoo openssl openssl 'openssl dgst -sha256 text; openssl enc -aes-256-cbc -K 00 -iv 00 -in text 2> /dev/null | md5sum; openssl prime 1000003'
zoo openssl-speed openssl 'openssl speed -seconds 1 -bytes 64 sha256 > /dev/null 2>&1; echo $?'
zoo ssh-keygen ssh-keygen 'rm -f k k.pub; ssh-keygen -q -t ed25519 -N "" -f k && ssh-keygen -y -f k | cmp - k.pub; wc -l < k.pub'
zoo git git 'rm -rf g && git init -q g && cd g && cp ../text . && git add . && git -c user.name=a -c user.email=a@b commit -q -m m && sed -i s/word1/w/ text && git diff | md5sum'
zoo curl curl 'curl -s file://$PWD/text | md5sum'
zoo file file 'file text hello.c'
zoo patch patch 'cp text p1; sed s/word1/w/ text | diff -u text - > p.diff; patch -s p1 p.diff; md5sum < p1'
zoo vim vim 'cp text v; vim -u NONE -es -c "%s/word/WORD/g" -c wq v; md5sum < v'
zoo ps ps 'ps -o comm= -p $$'
zoo strace strace 'strace -o /dev/null true 2> /dev/null; echo done'
zoo valgrind valgrind 'valgrind -q ls / 2> /dev/null | wc -l'
zoo busybox busybox 'busybox sh -c "busybox seq 100 | busybox awk \"{ s += \\\$1 } END { print s }\"; busybox tar -c tree | busybox md5sum | busybox wc -l"'
zoo qemu qemu-x86_64 'gcc -static -o hs hello.c -lm && qemu-x86_64 ./hs'
zoo cmake cmake 'cmake --version'
zoo systemd-run systemctl 'systemctl --version | wc -l'
zoo clang clang 'clang -O2 -o hc hello.c -lm && ./hc'
zoo tinycc tcc 'tcc -run hello.c -lm'

[ -z "$missing" ] || skip "not installed here:$missing"
[ -z "$long" ] || skip "not decoded, since they take long:$long"
finish
