#!/usr/bin/python3
"""tuiprobe: measures any terminal program from outside, through a real pseudo-terminal.

  tuiprobe.py start --until REGEX [-n 15] [--size 100x30] -- CMD ...   time from exec to a screen that shows REGEX
  tuiprobe.py keys  --until REGEX --keys down,down,up [-n 100] -- CMD  key to first and to last byte of the repaint, bytes per key
  tuiprobe.py idle  --until REGEX [--seconds 5] -- CMD                 context switches, CPU time, bytes written while nothing happens
  tuiprobe.py storm --until REGEX [--seconds 20] [--seed 1] -- CMD     random keys, mouse and resizes; then SIGTERM: was the terminal restored?
  tuiprobe.py shot  --until REGEX [--keys ...] [--size 80x24] -- CMD   prints the screen as text after the keys

Needs pyte (Debian: python3-pyte). Times are of this machine: compare two programs in one run, never across machines.
A screen counts as showing REGEX once the emulator's text matches it, so every program is judged by the same eye.
"""
import argparse, fcntl, json, os, pty, random, re, select, signal, statistics, struct, sys, termios, time

ASKED_SYNC, HAS_SYNC = b"\x1b[?2026$p", "\x1b[?2026;2$y"

KEYS = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "enter": "\r", "esc": "\x1b",
        "tab": "\t", "space": " ", "pgup": "\x1b[5~", "pgdn": "\x1b[6~", "home": "\x1b[H", "end": "\x1b[F",
        "backspace": "\x7f", "f1": "\x1bOP", "ctrl-c": "\x03", "ctrl-l": "\x0c", "btab": "\x1b[Z", "comma": ","}
APP_KEYS = {"up": "\x1bOA", "down": "\x1bOB", "right": "\x1bOC", "left": "\x1bOD", "home": "\x1bOH", "end": "\x1bOF"}


def emulator(cols, rows):
    """A screen of pyte and the stream that feeds it, with the scrolling of whole areas (SU, SD) that pyte lacks."""
    import pyte

    class Screen(pyte.Screen):
        def scroll_up(self, count=1, **_):
            self.scroll(count, self.delete_lines)

        def scroll_down(self, count=1, **_):
            self.scroll(count, self.insert_lines)

        def scroll(self, count, change):
            kept, self.cursor.y = self.cursor.y, self.margins.top if self.margins else 0
            column = self.cursor.x
            change(count or 1)
            self.cursor.y, self.cursor.x = kept, column

    class Stream(pyte.ByteStream):
        csi = dict(pyte.ByteStream.csi, S="scroll_up", T="scroll_down")
        events = pyte.ByteStream.events | {"scroll_up", "scroll_down"}

    screen = Screen(cols, rows)
    return screen, Stream(screen)


class Session:
    """A program on a pseudo-terminal. `answers`: whether to report that mode 2026 is supported."""

    def __init__(self, cmd, cols, rows, term="xterm-256color", answers=False):
        self.answers = answers
        self.screen, self.stream = emulator(cols, rows)
        self.raw = bytearray()
        self.t0 = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM=term, COLUMNS="", LINES="")
            os.environ.setdefault("LANG", "C.UTF-8")
            for k in ("COLUMNS", "LINES"):
                os.environ.pop(k, None)
            try:
                # set the size before the program reads it
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
                os.execvp(cmd[0], cmd)
            finally:
                os._exit(127)
        self.resize(cols, rows, quiet=True)
        self.status = None

    def resize(self, cols, rows, quiet=False):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        if not quiet:
            self.screen.resize(rows, cols)

    def read(self, timeout):
        r, _, _ = select.select([self.fd], [], [], timeout)
        if not r:
            return b""
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:
            return None
        if not data:
            return None
        self.last = time.perf_counter()
        self.raw += data
        if self.answers and ASKED_SYNC in data:
            os.write(self.fd, HAS_SYNC.encode())
        try:
            self.stream.feed(data)
        except Exception:
            pass
        return data

    def text(self):
        return "\n".join(self.screen.display)

    def wait_for(self, regex, limit):
        pat, end = re.compile(regex), time.perf_counter() + limit
        while time.perf_counter() < end:
            data = self.read(min(0.05, max(0.0, end - time.perf_counter())))
            if data is None:
                return None
            if data and pat.search(self.text()):
                return self.last - self.t0
        return None

    def wait_until_idle(self, quiet=0.15, limit=3.0):
        end = time.perf_counter() + limit
        while time.perf_counter() < end:
            d = self.read(quiet)
            if d is None or d == b"":
                return

    def send(self, key):
        app = b"\x1b[?1h" in self.raw and self.raw.rfind(b"\x1b[?1h") > self.raw.rfind(b"\x1b[?1l")
        seq = (APP_KEYS.get(key) if app else None) or KEYS.get(key) or key
        os.write(self.fd, seq.encode())

    def close(self, sig=signal.SIGTERM, wait=2.0):
        try:
            os.kill(self.pid, sig)
        except ProcessLookupError:
            pass
        end = time.perf_counter() + wait
        while time.perf_counter() < end:
            pid, st = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = st
                break
            if self.read(0.02) is None:
                time.sleep(0.02)
        else:
            os.kill(self.pid, signal.SIGKILL)
            _, self.status = os.waitpid(self.pid, 0)
            self.killed = True
        while self.read(0.02):
            pass
        os.close(self.fd)


def row(name, xs, unit="ms"):
    xs = sorted(xs)
    if not xs:
        print(f"{name:28s} no samples"); return
    p = lambda q: xs[min(len(xs) - 1, int(q * len(xs)))]
    print(f"{name:28s} n={len(xs):<4d} min {xs[0]:9.2f}  median {statistics.median(xs):9.2f}  p95 {p(.95):9.2f}  p99 {p(.99):9.2f}  max {xs[-1]:9.2f} {unit}")


def rss_kib(pid):
    try:
        for l in open(f"/proc/{pid}/status"):
            if l.startswith("VmRSS"):
                return int(l.split()[1])
    except OSError:
        return 0
    return 0


def switches(pid):
    n = 0
    for t in os.listdir(f"/proc/{pid}/task"):
        for l in open(f"/proc/{pid}/task/{t}/status"):
            if "ctxt_switches" in l:
                n += int(l.split()[1])
    return n


def cpu_ticks(pid):
    f = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return int(f[11]) + int(f[12])


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("mode", choices=["start", "keys", "idle", "storm", "shot"])
    ap.add_argument("--until", required=True)
    ap.add_argument("--keys", default="down,up")
    ap.add_argument("-n", type=int, default=None)
    ap.add_argument("--size", default="100x30")
    ap.add_argument("--term", default="xterm-256color")
    ap.add_argument("--seconds", type=float, default=5)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--limit", type=float, default=20)
    if "--" not in sys.argv:
        ap.error("put -- before the command")
    cut = sys.argv.index("--")
    a, cmd = ap.parse_args(sys.argv[1:cut]), sys.argv[cut + 1:]
    cols, rows = map(int, a.size.split("x"))
    open_ = lambda: Session(cmd, cols, rows, a.term)
    name = os.path.basename(cmd[0])

    if a.mode == "start":
        times, rss, size = [], [], []
        for _ in range(a.n or 15):
            s = open_()
            t = s.wait_for(a.until, a.limit)
            if t is None:
                print(s.text()); s.close(); sys.exit(f"{name}: never showed {a.until!r}")
            times.append(t * 1e3); rss.append(rss_kib(s.pid) / 1024); size.append(len(s.raw))
            s.close()
        row(f"{name} first frame", times); row(f"{name} resident memory", rss, "MiB"); row(f"{name} bytes, first frame", size, "B")
        return

    s = open_()
    if s.wait_for(a.until, a.limit) is None:
        print(s.text()); s.close(); sys.exit(f"{name}: never showed {a.until!r}")
    s.wait_until_idle()

    if a.mode == "shot":
        for k in [k for k in a.keys.split(",") if k]:
            if k.startswith("wait"):
                end = time.perf_counter() + float(k[4:] or 1)
                while time.perf_counter() < end:
                    if s.read(0.05) is None: break
                continue
            s.send(k); s.wait_until_idle()
        print(s.text()); s.close()
    elif a.mode == "keys":
        first, last, size = [], [], []
        seq = a.keys.split(",")
        for i in range(a.n or 100):
            s.wait_until_idle(0.03, 0.5)
            before, t = len(s.raw), time.perf_counter()
            s.send(seq[i % len(seq)])
            d = s.read(1.0)
            if d is None: break
            if not d: continue
            f = l = s.last
            while True:
                d = s.read(0.03)
                if not d: break
                l = s.last
            first.append((f - t) * 1e3); last.append((l - t) * 1e3); size.append(len(s.raw) - before)
        row(f"{name} key to first byte", first); row(f"{name} key to last byte", last); row(f"{name} bytes per key", size, "B")
        s.close()
    elif a.mode == "idle":
        t = time.perf_counter()  # a runtime's idle workers take some seconds to go away
        while time.perf_counter() - t < 8:
            if s.read(0.2) is None: break
        b, c, u, t = len(s.raw), switches(s.pid), cpu_ticks(s.pid), time.perf_counter()
        while time.perf_counter() - t < a.seconds:
            if s.read(0.2) is None: break
        dt = time.perf_counter() - t
        print(f"{name} idle {dt:.1f} s: {switches(s.pid)-c} context switches, {(cpu_ticks(s.pid)-u)*10} ms CPU, {len(s.raw)-b} bytes, {rss_kib(s.pid)/1024:.1f} MiB resident")
        s.close()
    elif a.mode == "storm":
        rnd, n, end, died = random.Random(a.seed), 0, time.perf_counter() + a.seconds, False
        pool = [k for k in KEYS if k not in ("ctrl-c",)] + list("abcdefghijklmnoprstuvwxyz/?:+-123456789ABRSGZ") + ["\x1b[<0;%d;%dM" % (rnd.randint(1, cols), rnd.randint(1, rows)) for _ in range(20)] + ["日本", "é", "\x1b[200~paste\x1b[201~", "\x00", "\x1b[999~", "\xff"]
        while time.perf_counter() < end:
            try:
                if rnd.random() < 0.02:
                    s.resize(rnd.choice([1, 2, 5, 20, 40, 80, 100, 200, 300]), rnd.choice([1, 2, 3, 10, 24, 30, 60]))
                else:
                    s.send(rnd.choice(pool))
            except OSError:
                died = True; break
            n += 1
            if s.read(0.002) is None: died = True; break
            pid, st = os.waitpid(s.pid, os.WNOHANG)
            if pid: died, s.status = True, st; break
        if died:
            print(f"{name} storm: ended after {n} inputs, status {s.status}"); print(s.text()[-1500:]); sys.exit(1)
        mark = len(s.raw); s.close()
        tail = bytes(s.raw[mark:])
        print(json.dumps({"program": name, "inputs": n, "exit_status": s.status, "left_alternate_screen": b"\x1b[?1049l" in tail, "cursor_shown": b"\x1b[?25h" in tail or b"\x1b[?12l\x1b[?25h" in tail or b"\x1b[34h\x1b[?25h" in tail, "mouse_off": (b"\x1b[?1000h" not in s.raw and b"\x1b[?1006h" not in s.raw) or b"\x1b[?1000l" in tail or b"\x1b[?1006l" in tail or b"\x1b[?1006;1000l" in tail}))


if __name__ == "__main__":
    main()
