#!/usr/bin/python3
"""Measures the shop's screen through a pseudo-terminal, beside dialog(1) and htop(1) in one run.

  screen_bench.py PROGRAM BENCH CATALOG [PART...]

BENCH is storefront-bench: it writes a thousand events a second, and fills stores. Debian: dialog,
htop, python3-pyte.
"""
import json, os, random, re, shutil, signal, statistics, subprocess, sys, tempfile, termios, time

sys.dont_write_bytecode = True

import tuiprobe
from tuiprobe import Session

PROGRAM, BENCH, CATALOG = sys.argv[1:4]
PARTS = sys.argv[4:]
# The size of the rows that name no other: two panes, the list and the page of its selection.
COLS, ROWS = WIDE = 100, 30
# One pane: the list alone, or a page alone. The size that terminals begin with.
USUAL = 80, 24
# Three panes: the console beside the shop.
LARGE = 200, 50
# The views, with the key that shows each and what is then on the screen.
VIEWS = [("shop", "1", "Book 0"), ("library", "2", "Book 0"), ("history", "3", "HISTORY"),
         ("console", "4", "EVENTS"), ("page", "enter", "Back ]")]
FOLDER = tempfile.mkdtemp(prefix="screen-bench-")
# The first rows of the list: the products are on the screen.
OPEN = r"(?s)The Lighthouse, part one.*10 coins.*help"
# The footer of the opening frame, which the shop draws before its store is open.
OPENING = r"help"


class Table:
    """The same table as storefront-bench prints: one row for each measurement."""

    def __init__(self):
        self.rows = [["what", "measured", "baseline", "ratio", "must reach"]]
        self.missed = 0

    def add(self, what, measured, baseline, unit, at_most=None, value=None):
        ratio = measured / baseline if baseline else measured
        value = ratio if value is None else value
        goal = ""
        if at_most is not None:
            reached = value <= at_most
            self.missed += not reached
            goal = f"≤ {at_most:g}  {'yes' if reached else 'NO'}"
        base = f"{self.number(baseline)} {unit}" if baseline else ""
        self.rows.append([what, f"{self.number(measured)} {unit}", base,
                          self.number(ratio) if baseline else "", goal])

    @staticmethod
    def number(x):
        return f"{x:.0f}" if abs(x) >= 1000 else f"{x:.1f}" if abs(x) >= 10 else f"{x:.3f}"

    def show(self):
        widths = [max(len(row[i]) for row in self.rows) for i in range(5)]
        for row in self.rows:
            cells = [c.ljust(w) if i in (0, 4) else c.rjust(w)
                     for i, (c, w) in enumerate(zip(row, widths))]
            print("  ".join(cells).rstrip())
        print("Everything that must be reached is." if not self.missed
              else f"{self.missed} not reached.")


table = Table()


def shop(*arguments, catalog=CATALOG, store="demo", answers=False, size=WIDE):
    """Starts the shop on the store of this name, which is created at its first use."""
    command = [PROGRAM, "--catalog", catalog, "--store", f"{FOLDER}/{store}", *arguments]
    return Session(command, *size, answers=answers)


def opened(*arguments, until=OPEN, **options):
    s = shop(*arguments, **options)
    if s.wait_for(until, 20) is None:
        sys.exit(f"never opened:\n{s.text()}")
    wait_until_sold_from(s)
    s.wait_until_idle()
    return s


def wait_until_sold_from(s):
    """Waits until the store is open, so that a product can be bought."""
    end = time.perf_counter() + 20
    while "opening" in s.text() and time.perf_counter() < end:
        s.read(0.05)


def command_time(*arguments):
    """Milliseconds that a whole process takes."""
    start = time.perf_counter()
    subprocess.run([PROGRAM, "--catalog", CATALOG, "--store", f"{FOLDER}/demo", *arguments],
                   stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - start) * 1e3


def dialog(size=WIDE):
    """Starts a menu of dialog(1) that fills a terminal of this size."""
    rows = size[1] - 10
    items = [word for n in range(1, rows + 1) for word in (f"{n}", f"Product {n}")]
    return Session(["dialog", "--menu", "Shop", str(rows + 8), "70", str(rows), *items], *size)


def htop(size=WIDE):
    """Starts htop(1), which refreshes its processes as seldom as it can: every 10 seconds."""
    return Session(["htop", "--delay=100"], *size)


def opened_htop(size):
    h = htop(size)
    h.wait_for(r"PID.*Command", 20)
    h.wait_until_idle()
    return h


def many(count):
    """Writes a catalog of this many products and returns its path."""
    path = f"{FOLDER}/{count}.json"
    if not os.path.exists(path):
        # Names as different as in a real shop. With similar ones, scrolling would change few cells.
        names = ["Lamp oil", "The Keeper's Guide", "Rope, tarred", "Sepia", "High contrast",
                 "A hundred coins", "Sea charts of the north", "Gull", "Night watch", "Export"]
        lines = ",\n".join(
            '{"id": "bench.product.%d", "type": "consumable", "name": {"en": "%s %d"}, '
            '"prices": {"USA": "%d.99"}}' % (n, names[n * 7 % 10], n, n * n % 50)
            for n in range(count))
        with open(path, "w") as f:
            f.write('{"format": 1, "app": {"bundleId": "com.example.bench", '
                    '"name": {"en": "Bench"}}, "defaults": {"territory": "USA", '
                    '"locale": "en_US"}, "products": [\n%s\n]}' % lines)
    return path


def owner(transactions):
    """Makes a store in which "me" has this many transactions and owns 100 products.

    Returns the options of `shop` for it."""
    catalog, store = f"{FOLDER}/owner.json", f"owner-{transactions}"
    if not os.path.exists(catalog):
        products = [{"id": f"bench.owned.{n}", "type": "nonConsumable", "name": {"en": f"Book {n}"},
                     "prices": {"USA": "0.99"}} for n in range(100)]
        coins = {"id": "bench.coins", "type": "consumable", "name": {"en": "Coins"},
                 "prices": {"USA": "0.99"}, "grants": {"unit": "coins", "amount": 10}}
        with open(catalog, "w") as f:
            json.dump({"format": 1,
                       "app": {"bundleId": "com.example.bench", "name": {"en": "Bench"}},
                       "defaults": {"territory": "USA", "locale": "en_US"},
                       "products": products + [coins]}, f)
    if not os.path.exists(f"{FOLDER}/{store}"):
        subprocess.run([PROGRAM, "products", "--catalog", catalog, "--store", f"{FOLDER}/{store}"],
                       stdout=subprocess.DEVNULL, check=True)
        subprocess.run([BENCH, "--fill", f"{FOLDER}/{store}", str(transactions), "100"], check=True)
        # The first shop on it reads what the account has; those that are measured do not.
        s = shop(catalog=catalog, store=store)
        s.wait_for("Book 0", 60)
        s.wait_until_idle(2, 60)
        s.close()
    return {"catalog": catalog, "store": store, "until": "Book 0"}


def visible(s):
    """The rows of the screen as bytes of their text, without the blanks at their ends."""
    return [line.rstrip().encode() for line in s.screen.display]


def press(s, key):
    """Presses a key. Returns the milliseconds to the last byte of output, and how many bytes."""
    before, start = len(s.raw), time.perf_counter()
    s.send(key)
    while s.read(1.0 if len(s.raw) == before else 0.03):
        pass
    return (s.last - start) * 1e3, len(s.raw) - before


def first_frame():
    opened().close()
    opening, selling, small, large, whole = [], [], [], [], []
    for _ in range(15):
        s = shop()
        opening.append(s.wait_for(OPENING, 20) * 1e3)
        if re.search(OPEN, s.text()) is None:
            s.wait_for(OPEN, 20)
        wait_until_sold_from(s)
        selling.append((s.last - s.t0) * 1e3)
        s.wait_until_idle()
        s.close()
        for make, until, times in ((dialog, r"(?s)Product 20.*Cancel", small),
                                   (htop, r"PID.*Command", large)):
            s = make()
            times.append(s.wait_for(until, 20) * 1e3)
            s.wait_until_idle()
            s.close()
        whole.append(command_time("products"))
    table.add("opening frame, beside dialog's first", statistics.median(opening),
              statistics.median(small), "ms", at_most=1.5)
    table.add("first screen to buy from, beside htop's first frame", statistics.median(selling),
              statistics.median(large), "ms", at_most=0.45)
    table.add("first screen to buy from, beside the process `products`",
              statistics.median(selling), statistics.median(whole), "ms", at_most=1.7)


def keys():
    for size, panes, goal in ((USUAL, "one pane", 1.0), (WIDE, "two panes", None),
                              (LARGE, "three panes", 1.5)):
        s, h = opened(size=size, until="Sepia"), opened_htop(size)
        table.add(f"key to last byte, {panes}, beside htop's process list",
                  *beside(s, h, 100), "ms", at_most=goal)
        h.close()
        if size == LARGE:
            s.close()
            continue
        s.send("home")
        s.wait_until_idle()
        steps(s, f"the selection, {panes}", "▌ [ Restore", 300 if size == USUAL else None)
        s.close()


def beside(s, baseline, count):
    """Moves the selection of both, in turns. Returns the medians to the last byte, in ms."""
    times = [], []
    for n in range(count):
        key = "down" if n % 20 < 10 else "up"
        for session, list_ in zip((s, baseline), times):
            list_.append(press(session, key)[0])
    return [statistics.median(list_) for list_ in times]


def steps(s, what, end, most=None):
    """Moves the selection down until `end` is on the screen, and judges the bytes of each step.

    The goal for a step is that of a full repaint, for the rows that were not on the screen before:
    1.4 times their text, and each row's share of 4 KiB for positions and styles. The footer needs
    most of it: with xterm's terminfo each of its keys takes 55 bytes for some 8 characters. Rows
    that only moved may cost nothing: the terminal scrolls them. `most` is a goal for the median,
    in bytes: most steps neither scroll nor change the footer."""
    share_of_row = 4096 / s.screen.lines
    sizes, shares = [], []
    while end not in s.text():
        before = set(visible(s))
        count = press(s, "down")[1]
        new = [row for row in visible(s) if row not in before]
        sizes.append(count)
        budget = max(1, sum(1.4 * len(row) + share_of_row for row in new))
        shares.append((count / budget, count, new))
        if os.environ.get("VERBOSE"):
            print(count, round(shares[-1][0], 2), len(new))
    table.add(f"bytes to move {what}, median of {len(sizes)}", statistics.median(sizes), None, "B",
              at_most=most, value=statistics.median(sizes))
    share, count, new = max(shares)
    table.add(f"bytes to move {what}, most beside its new rows ({len(new)})", count,
              count / share, "B", at_most=1)


def views():
    """The goals of the screen, for each view of a shop whose account owns a hundred products."""
    h = opened_htop(USUAL)
    for view, key, until in VIEWS:
        s = opened(size=USUAL, **owner(100))
        press(s, key)
        if until not in s.text():
            sys.exit(f"the view {view} never came:\n{s.text()}")
        table.add(f"{view}: key to last byte, beside htop's process list",
                  *beside(s, h, 60), "ms", at_most=1.0)
        for size in (USUAL, LARGE):
            count, text = repainted(s, *size)
            table.add(f"{view}: bytes of a full repaint, {size[0]}x{size[1]}", count,
                      1.4 * text + 4096, "B", at_most=1)
        s.close()
    h.close()


def repainted(s, columns, rows):
    """Resizes the terminal to this size. Returns the bytes of the repaint, and of its text."""
    s.resize(columns, rows - 1)
    s.wait_until_idle()
    before = len(s.raw)
    s.resize(columns, rows)
    s.wait_until_idle()
    return len(s.raw) - before, sum(map(len, visible(s)))


def account():
    """Opens and scrolls library and history of an account with many transactions."""
    few, many_ = owner(100), owner(100_000)
    for view, key, until in VIEWS[1:3]:
        opening, scrolling = ([], []), ([], [])
        for _ in range(25):
            for options, times in zip((few, many_), opening):
                s = opened(size=USUAL, **options)
                times.append(press(s, key)[0])
                if until not in s.text():
                    sys.exit(f"the view {view} never came:\n{s.text()}")
                s.close()
        both = [opened(size=USUAL, **options) for options in (few, many_)]
        for s in both:
            press(s, key)
        for n in range(60):
            for s, times in zip(both, scrolling):
                times.append(press(s, "pgdn" if n % 8 < 4 else "pgup")[0])
        for s in both:
            s.close()
        for what, times in (("opened", opening), ("scrolled", scrolling)):
            table.add(f"{view} {what} with 100000 transactions, not 100",
                      statistics.median(times[1]), statistics.median(times[0]), "ms", at_most=1.3)


def size():
    few = opened(catalog=many(20), store="few", until="Sepia 9")
    lots = opened(catalog=many(100_000), store="lots", until="Sepia 9")
    for s in (few, lots):
        press(s, "down")
    times = ([], [])
    for n in range(100):
        for s, list_ in zip((few, lots), times):
            ms, count = press(s, "down" if n % 20 < 10 else "up")
            list_.append(ms)
    table.add("key at 100000 products, not 20", statistics.median(times[1]),
              statistics.median(times[0]), "ms", at_most=1.3)
    lots.send("home")
    lots.wait_until_idle()
    steps(lots, "the selection at 100000 products", "Rope, tarred 46")
    few.close()
    lots.close()


def threads(pid):
    """The context switches of each thread, by thread number and name."""
    found = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            name = open(f"/proc/{pid}/task/{task}/comm").read().strip()
            status = open(f"/proc/{pid}/task/{task}/status").read()
        except OSError:
            continue
        found[task, name] = sum(map(int, re.findall(r"ctxt_switches:\s+(\d+)", status)))
    return found


def at_rest():
    s = opened()
    for key in ("down", "enter", "esc"):
        s.send(key)
        s.wait_until_idle()
    shown = {"demo": s}
    for view, key, _ in VIEWS:
        s = shown[view] = opened(**owner(100))
        press(s, key)
    for s in shown.values():
        s.wait_until_idle(8, 8)  # a runtime's idle workers take some seconds to go away
    before = {view: (threads(s.pid), len(s.raw)) for view, s in shown.items()}
    time.sleep(5)
    after = {view: threads(s.pid) for view, s in shown.items()}
    switches, written = [], []
    for view, s in shown.items():
        s.wait_until_idle(0.1, 0.1)
        woken = {k: n - before[view][0].get(k, 0) for k, n in after[view].items()
                 if n > before[view][0].get(k, 0)}
        # Once a second the runtime's monitor thread checks whether its workers are blocked.
        monitor = max((k for k in woken if woken[k] <= 6), key=woken.get, default=None)
        switches.append((sum(n for k, n in woken.items() if k != monitor), view))
        written.append((len(s.raw) - before[view][1], view))
        if os.environ.get("VERBOSE"):
            print(view, before[view], woken)
    count, view = max(switches)
    table.add(f"context switches in 5 s at rest, the runtime's monitor aside, most of "
              f"{len(switches)} views ({view})", count, None, "", at_most=0, value=count)
    count, view = max(written)
    table.add(f"bytes written in 5 s at rest, most of {len(written)} views ({view})", count, None,
              "B", at_most=0, value=count)
    memory = tuiprobe.rss_kib(shown["demo"].pid) / 1024
    table.add("resident memory, demo catalog", memory, None, "MiB", at_most=32, value=memory)
    for s in shown.values():
        s.close()


MOUSE = re.compile(rb"\x1b\[\?1006[hl]|\x1b\[\?1000[hl]")


def toggle(s):
    """Presses m, which switches the mouse. Returns the milliseconds to the end of its frame."""
    mark, start = len(s.raw), time.perf_counter()
    os.write(s.fd, b"m")
    while True:
        if s.read(1.0) is None:
            sys.exit("the shop has ended")
        said = MOUSE.search(s.raw, mark)
        if said and s.raw.find(b"\x1b[?2026l", said.end()) >= 0:
            return (s.last - start) * 1e3


def events():
    for view, key, _ in VIEWS[:4]:
        events_in(view, key)


def events_in(view, key):
    """Writes sales of other accounts into the store while a view of it is shown."""
    store = f"events-{view}"
    s = opened(answers=True, store=store)
    s.send(key)
    s.wait_until_idle()
    s.stream.feed = lambda data: None  # the emulator is not needed from here on, only bytes are
    idle = []
    for _ in range(100):
        idle.append(toggle(s))
        s.wait_until_idle(0.02, 0.1)
    seconds = 6
    writer = subprocess.Popen([BENCH, "--events", f"{FOLDER}/{store}", "1000", str(seconds)],
                              stdout=subprocess.PIPE)
    busy, random_ = [], random.Random(1)
    s.wait_until_idle(0.5, 1.5)
    mark, start = len(s.raw), time.perf_counter()
    while time.perf_counter() - start < seconds - 3:
        busy.append(toggle(s))
        end = time.perf_counter() + random_.uniform(0.01, 0.05)
        while time.perf_counter() < end:
            s.read(max(0, end - time.perf_counter()))
    took = time.perf_counter() - start
    paints = s.raw.count(b"\x1b[?2026h", mark) - len(busy)
    written = float(writer.communicate()[0])
    table.add(f"{view}: key during {written:.0f} events a second, beside none",
              statistics.median(busy), statistics.median(idle), "ms", at_most=1.5)
    table.add(f"{view}: paints a second meanwhile, those of keys aside", paints / took, None, "/s",
              at_most=60, value=paints / took)
    s.close()


def restored(s, mode):
    """The milliseconds from now until the terminal is restored; 5000 if it is not."""
    start, mark = time.perf_counter(), len(s.raw)
    while time.perf_counter() - start < 5:
        s.read(0.001)
        if b"\x1b[?1049l" in s.raw[mark:] and termios.tcgetattr(s.fd) == mode:
            return (time.perf_counter() - start) * 1e3
    return 5000.0


def leaving():
    ways = [("q", None), ("INT", signal.SIGINT), ("TERM", signal.SIGTERM),
            ("HUP", signal.SIGHUP), ("QUIT", signal.SIGQUIT), ("SEGV", signal.SIGSEGV),
            ("ILL", signal.SIGILL), ("closed", None)]
    worst, slowest = 0, ""
    os.environ["SWIFT_BACKTRACE"] = "enable=no"
    for name, number in ways:
        for _ in range(20):
            s = shop()
            mode = termios.tcgetattr(s.fd)
            s.wait_for(OPEN, 20)
            s.wait_until_idle(0.05, 1)
            start = time.perf_counter()
            if name == "closed":
                os.close(s.fd)
                os.waitpid(s.pid, 0)
                took = (time.perf_counter() - start) * 1e3
            else:
                os.write(s.fd, b"q") if number is None else os.kill(s.pid, number)
                took = restored(s, mode)
                s.close(signal.SIGKILL)
            if took > worst:
                worst, slowest = took, name
    table.add(f"terminal restored, slowest of 160 ends ({slowest})", worst, None, "ms",
              at_most=200, value=worst)


ALL = {"first": first_frame, "keys": keys, "views": views, "account": account, "size": size,
       "rest": at_rest, "events": events, "leaving": leaving}
os.environ.update(HOME=FOLDER, XDG_CACHE_HOME=f"{FOLDER}/cache", XDG_DATA_HOME=f"{FOLDER}/data",
                  LANG="C.UTF-8")
os.environ.pop("NO_COLOR", None)
# Writes the data of earlier measurements to the disk now, because a first frame reads from it.
os.sync()
try:
    for name, part in ALL.items():
        if not PARTS or name in PARTS:
            print(f"measuring the screen: {name}…", file=sys.stderr)
            part()
    table.show()
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
