#!/usr/bin/env python3
"""A ``syrinx`` that ends at certain inputs; all others are answered by the real one, named by ``SYRINX_REAL``.

Inputs with "deadly" end it by a fault of its own. Inputs with "hanging" are never answered. Inputs with "fatal" kill
the worker that feeds it.
"""

import json
import os
import signal
import subprocess
import sys
import time

arguments = sys.argv[1:]
real = os.environ["SYRINX_REAL"]
if arguments[0] != "analyze":
    os.execv(real, [real, *arguments])
process = subprocess.Popen([real, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in sys.stdin.buffer:
    name = json.loads(line)["input"]
    if "deadly" in name:
        print("Fatal error: an index is out of range", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    if "fatal" in name:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    if "hanging" in name:
        time.sleep(60)
    process.stdin.write(line)
    process.stdin.flush()
    while b'"event"' in (answer := process.stdout.readline()):
        sys.stdout.buffer.write(answer)
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
process.stdin.close()
sys.exit(process.wait())
