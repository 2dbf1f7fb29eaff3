#!/usr/bin/env python3
"""Parallel downloads beside cp(1), sha256sum(1), unzip(1) and sync(1) of the same files.

    Benchmarks/download_bench.py PROGRAM [--packages 8] [--mebibytes 256] [--files 20000] [--rounds 3]

Each round fetches all packages on a device that has never had them (`restore --downloads`), and then
does the same work with the tools, as many at a time. A ratio is the tools' time divided by the
program's, so that 1 is as quick as they are. The rows over HTTP download from `content serve` on this
machine. Memory is private memory at most; where a row compares it with an idle process, that is one of
the same device or server that has nothing to do. Everything lies below .build in the working folder.
"""

import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time


def private_kib(pid):
    """The private memory of a process; 0 when it has ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Private_"))
    except (OSError, ValueError):
        return 0


def settled_kib(process):
    """The private memory of a process that has come to rest."""
    seen = []
    while len(seen) < 20 or len(set(seen[-10:])) > 1:
        if process.poll() is not None:
            sys.exit(f"{process.args[1:3]} ended with {process.returncode}")
        seen.append(private_kib(process.pid))
        time.sleep(0.05)
    return seen[-1]


def free_port():
    """A port that nobody listens on now."""
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return chosen.getsockname()[1]


class Store:
    """A store of its own, with one product for each package; with a port, products whose content the
    app's own server hands out there."""

    def __init__(self, program, root, packages, write, port=None):
        self.program, self.root, self.packages = program, root, packages
        self.content = f"{root}/Content"
        products = []
        for number in range(packages):
            write(f"{self.content}/{number}", number)
            kind = {"kind": "hosted"} if port is None else {
                "kind": "ownServer", "url": f"http://127.0.0.1:{port}/bench/{number}"}
            products.append({
                "id": f"bench.{number}", "type": "nonConsumable", "name": {"en": f"Book {number}"},
                "prices": {"USA": "0.99"},
                "delivery": kind | {"packages": [
                    {"id": "text", "version": "1.0", "path": str(number)}]},
            })
        with open(f"{root}/catalog.json", "w") as file:
            json.dump({
                "format": 1, "app": {"bundleId": "com.example.bench", "name": {"en": "Bench"}},
                "defaults": {"territory": "USA", "locale": "en_US"}, "content": "Content",
                "products": products,
            }, file)
        self.device = 0

    def run(self, *words, **more):
        words = [self.program, *words, "--store", f"{self.root}/store",
                 "--catalog", f"{self.root}/catalog.json"]
        return subprocess.run(words, check=True, capture_output=True, text=True, **more)

    def buy(self):
        """Buys everything; the content is fetched later."""
        for number in range(self.packages):
            self.run("operator", "buy-outside", f"bench.{number}", "--account", "me")

    def host(self):
        """Hosts each folder as a zip file of a newer version."""
        for number in range(self.packages):
            zipped = f"{self.root}/{number}.zip"
            subprocess.run([self.program, "content", "pack", f"{self.content}/{number}",
                            "--product", f"bench.{number}", "--version", "2.0",
                            "--output", zipped], check=True, capture_output=True)
            self.run("content", "host", zipped, "--approve")

    def start(self, *words):
        """Starts a command that goes on until it is ended."""
        return subprocess.Popen(
            [self.program, *words, "--store", f"{self.root}/store",
             "--catalog", f"{self.root}/catalog.json"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def idle_kib(self):
        """The private memory of a device's process that has nothing to fetch."""
        process = self.start("watch", "--account", "me", "--device", "idle")
        try:
            return settled_kib(process)
        finally:
            process.terminate()
            process.wait()

    def fetch(self):
        """Fetches everything on a new device. Returns the seconds and the private KiB at most."""
        self.device += 1
        words = [self.program, "restore", "--downloads", str(self.packages),
                 "--bandwidth", "unlimited", "--account", "me", "--device", f"d{self.device}",
                 "--store", f"{self.root}/store", "--catalog", f"{self.root}/catalog.json"]
        began = time.monotonic()
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        most = 0

        def watch():
            nonlocal most
            while process.poll() is None:
                most = max(most, private_kib(process.pid))
                time.sleep(0.02)

        watcher = threading.Thread(target=watch)
        watcher.start()
        errors = process.stderr.read()
        code = process.wait()
        seconds = time.monotonic() - began
        watcher.join()
        if code != 0:
            sys.exit(errors.decode())
        path = f"{self.root}/store/devices/d{self.device}"
        held = sum(1 for place, _, files in os.walk(path) if "/content/" in place for _ in files)
        if held < self.packages:
            sys.exit(f"only {held} files came")
        shutil.rmtree(path)
        return seconds, most


def tools(store, is_zip):
    """The seconds that the tools take for the same, as many at a time."""
    copy = f"{store.root}/copy"
    shutil.rmtree(copy, ignore_errors=True)
    os.mkdir(copy)
    parts = []
    for number in range(store.packages):
        if is_zip:
            parts.append(f"(cp {store.root}/{number}.zip {copy}/{number}.zip && "
                         f"sha256sum {copy}/{number}.zip && "
                         f"unzip -q {copy}/{number}.zip -d {copy}/{number} && "
                         f"rm {copy}/{number}.zip) &")
        else:
            parts.append(f"(cp -r {store.content}/{number} {copy}/{number} && "
                         f"find {copy}/{number} -type f -exec sha256sum {{}} +) &")
    began = time.monotonic()
    subprocess.run(["sh", "-c", " ".join(parts) + f" wait; sync -f {copy}"], check=True,
                   stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - began
    shutil.rmtree(copy)
    return seconds


def measure(what, store, rounds, is_zip, goal, idle=None):
    """Prints a row. `idle`: the KiB to compare the memory with; nothing is compared without it."""
    fetched, copied, memory = [], [], []
    for number in range(rounds + 1):
        os.sync()
        seconds, most = store.fetch()
        os.sync()
        beside = tools(store, is_zip)
        if number:
            fetched.append(seconds)
            copied.append(beside)
            memory.append(most)
    program, baseline = statistics.median(fetched), statistics.median(copied)
    ratio = baseline / program
    print(f"{what:<52} {program:7.2f} s  {baseline:7.2f} s  {ratio:5.2f}  >= {goal}  "
          f"{'yes' if ratio >= goal else 'NO'}   {max(memory) / 1024:.0f} MiB private at most")
    if idle is not None:
        memory_row("the device's process", max(memory), idle)


def memory_row(what, most, idle):
    above = (most - idle) / 1024
    print(f"    {what}: {above:.0f} MiB above the {idle / 1024:.0f} MiB of an idle one  <= 64  "
          f"{'yes' if above <= 64 else 'NO'}")


def measure_http(what, store, port, rounds, is_zip):
    """The row of a store whose app's own server is started for it."""
    server = store.start("content", "serve", "--port", str(port))
    try:
        server.stdout.readline()
        idle = settled_kib(server)
        watched = [idle]
        is_over = threading.Event()

        def watch():
            while not is_over.wait(0.02):
                watched.append(private_kib(server.pid))

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            measure(what, store, rounds, is_zip, 0.5, idle=store.idle_kib())
        finally:
            is_over.set()
            watcher.join()
        memory_row("the server's process", max(watched), idle)
    finally:
        server.terminate()
        server.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--packages", type=int, default=8)
    parser.add_argument("--mebibytes", type=int, default=256)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    program = os.path.abspath(given.program)
    root = os.path.abspath(f".build/download-bench-{os.getpid()}")
    for name in [name for name in os.environ if name.startswith("STOREFRONT_")]:
        del os.environ[name]
    print(f"load: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")

    def large(folder, number):
        os.makedirs(folder)
        with open(f"{folder}/data.bin", "wb") as file:
            for _ in range(given.mebibytes):
                file.write(os.urandom(1 << 20))

    def many(folder, number):
        for number in range(given.files):
            part = f"{folder}/part-{number // 500}"
            os.makedirs(part, exist_ok=True)
            with open(f"{part}/{number}.txt", "w") as file:
                file.write(f"line {number}\n" * (1 + number % 50))

    try:
        os.makedirs(f"{root}/large")
        store = Store(program, f"{root}/large", given.packages, large)
        store.buy()
        size = f"{given.packages} x {given.mebibytes} MiB"
        measure(f"fetch {size} from folders, not cp, sha256sum, sync", store, given.rounds, False, 0.7)
        if shutil.which("unzip"):
            store.host()
            measure(f"fetch {size} from zips, not cp, sha256sum, unzip", store, given.rounds, True, 0.7)
        shutil.rmtree(f"{root}/large")
        os.makedirs(f"{root}/http")
        port = free_port()
        store = Store(program, f"{root}/http", given.packages, large, port)
        store.buy()
        measure_http(f"fetch {size} over HTTP, not cp, sha256sum, sync", store, port, given.rounds, False)
        if shutil.which("unzip"):
            store.host()
            measure_http(f"fetch {size} of zips over HTTP, not cp, sha256sum, unzip", store, port,
                         given.rounds, True)
        shutil.rmtree(f"{root}/http")
        os.makedirs(f"{root}/many")
        store = Store(program, f"{root}/many", 1, many)
        store.buy()
        measure(f"fetch {given.files} small files, not cp -r, sha256sum", store, given.rounds, False, 0.25)
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
