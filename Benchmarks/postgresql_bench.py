#!/usr/bin/env python3
"""The ledger on PostgreSQL beside pgbench and a bare NOTIFY, on the same server in the same run.

    Benchmarks/postgresql_bench.py PROGRAM [--rounds 9] [--sales 1000000] [--pipelined]
    Benchmarks/postgresql_bench.py PROGRAM --scale 10000000

A private server (.ci/postgresql-cluster) with PostgreSQL's own settings, which sync every commit. In
turn, the program sells (decide, append, sign), and pgbench inserts the rows of such a sale, with prepared
statements, into tables with the same columns and indexes. The one row that all sales change, the takings,
is left out of its transactions: 64 clients would take turns at it. A ratio is a rate divided by
pgbench's, or a time divided by the other. With --pipelined pgbench sends a transaction in one piece.
The tables that are printed are those of Documentation/scale.md.

With --scale it measures one store of so many sales instead. The first 50,000 are appended by the ledger;
the others are copies of their rows that the server makes (Copies), because an append of one sale after the
other would take hours. That such copies are what the ledger would have written is checked in a small store,
whose entries are folded again.
"""

import argparse
import os
import re
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Cluster:
    """A private server; it ends with this program, however that ends."""

    def __init__(self):
        # Its standard input is its life.
        self.process = subprocess.Popen(
            [f"{ROOT}/.ci/postgresql-cluster", "max_connections=200"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.folder = self.process.stdout.readline().strip()
        if not self.folder:
            sys.exit("No PostgreSQL server is installed.")
        self.address = f"postgresql:///storefront?user=storefront&host={self.folder}"
        self.environment = {
            **os.environ, "PGHOST": self.folder, "PGPORT": "5432", "PGUSER": "storefront",
            "PGDATABASE": "storefront"}

    def sql(self, *texts):
        """The rows of statements, as texts. All are sent on one connection."""
        commands = [word for text in texts for word in ("-c", text)]
        answer = subprocess.run(
            ["psql", "-qAt", "-F", "\t", "-v", "ON_ERROR_STOP=1", *commands], check=True,
            stdout=subprocess.PIPE, text=True, env=self.environment).stdout
        return [line.split("\t") for line in answer.splitlines()]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


# The tables that every sale inserts into, with the columns that differ from sale to sale.
TABLES = {
    "entries": {"position": ":p", "number": ":p", "next_number": ":p"},
    "transactions": {"id": ":p", "position": ":p"},
    "payments": {"id": "uuid_send(gen_random_uuid())", "position": ":p"},
    "unfinished": {"id": ":p"},
    "history": {"position": ":p"},
}


class Baseline:
    """A script for pgbench that inserts the rows of the last sale again and again."""

    def __init__(self, cluster, schema, pipelined):
        self.cluster, self.runs = cluster, 0
        position = cluster.sql(
            f'SELECT position, id FROM "{schema}".transactions ORDER BY position DESC LIMIT 1')[0]
        key = {"entries": f"position = {position[0]}", "transactions": f"id = {position[1]}",
               "payments": f"position = {position[0]}", "unfinished": f"id = {position[1]}",
               "history": f"position = {position[0]}"}
        cluster.sql("CREATE SCHEMA bare")
        statements = []
        for table, changing in TABLES.items():
            cluster.sql(f'CREATE TABLE bare.{table} (LIKE "{schema}".{table} INCLUDING ALL)')
            columns = [row[0] for row in cluster.sql(
                "SELECT column_name FROM information_schema.columns"
                f" WHERE table_schema = '{schema}' AND table_name = '{table}'"
                " ORDER BY ordinal_position")]
            literals = ", ".join(f"quote_nullable({column})" for column in columns)
            rows = cluster.sql(f'SELECT {literals} FROM "{schema}".{table} WHERE {key[table]}')
            assert rows, f"a sale has no row in {table}"
            for row in rows:
                values = [changing.get(column, value) for column, value in zip(columns, row)]
                statements.append(
                    f"INSERT INTO bare.{table} ({', '.join(columns)}) VALUES ({', '.join(values)});")
        lines = [r"\set n :n + 1", r"\set p :client_id * 1000000000 + :n"]
        lines += [r"\startpipeline"] if pipelined else []
        lines += ["BEGIN;", *statements, "COMMIT;"]
        lines += [r"\endpipeline"] if pipelined else []
        self.file = tempfile.NamedTemporaryFile("w", suffix=".sql")
        self.file.write("\n".join(lines) + "\n")
        self.file.flush()

    def rate(self, clients, each):
        """Transactions a second."""
        self.runs += 1
        answer = subprocess.run(
            ["pgbench", "-n", "-M", "prepared", "-c", str(clients), "-j", str(min(clients, 2)), "-t",
             str(each), "-D", f"n={self.runs * 10 ** 12}", "-f", self.file.name],
            check=True, capture_output=True, text=True, env=self.cluster.environment).stdout
        return float(re.search(r"^tps = ([0-9.]+)", answer, re.MULTILINE).group(1))


class Program:
    """The bench program, whose work ends with a line of numbers, or several."""

    def __init__(self, path, cluster):
        self.path, self.cluster = os.path.abspath(path), cluster

    def run(self, *words, address=None):
        return [line.split() for line in subprocess.run(
            [self.path, address or self.cluster.address, *map(str, words)], check=True,
            stdout=subprocess.PIPE, text=True).stdout.splitlines()]

    def seconds(self, *words):
        return float(self.run(*words)[-1][0])


class Meanwhile:
    """Sales by 64 connections, from the beginning of a block to its end."""

    def __init__(self, program, store):
        self.program, self.store = program, store

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.program.path, self.program.cluster.address, "connections", self.store],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline().strip() != "begun":
            sys.exit("The sales did not begin.")
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        sales, busy, seconds = self.process.stdout.readline().split()
        self.process.wait()
        self.rate, self.busy = int(sales) / float(seconds), int(busy)

    @property
    def text(self):
        return f"{self.rate:,.0f} /s" + (f" ({self.busy} gave up waiting)" if self.busy else "")


class RoundTrips:
    """A door to the server that counts how often a client waits for an answer (a Sync of the protocol),
    and how often of these inside a transaction that writes."""

    def __init__(self, cluster):
        self.cluster, self.all, self.writing = cluster, 0, 0
        self.folder = tempfile.mkdtemp(prefix="sfrt.", dir="/tmp")
        self.door = socket.socket(socket.AF_UNIX)
        self.door.bind(f"{self.folder}/.s.PGSQL.5432")
        self.door.listen()
        self.address = f"postgresql:///storefront?user=storefront&host={self.folder}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client = self.door.accept()[0]
            server = socket.socket(socket.AF_UNIX)
            server.connect(f"{self.cluster.folder}/.s.PGSQL.5432")
            threading.Thread(target=self.answers, args=(server, client), daemon=True).start()
            threading.Thread(target=self.questions, args=(client, server), daemon=True).start()

    @staticmethod
    def answers(server, client):
        while piece := server.recv(1 << 16):
            client.sendall(piece)
        client.close()

    def questions(self, client, server):
        # The first message has no letter in front of its length.
        buffer, letter, is_writing, ends = b"", 0, False, False
        while piece := client.recv(1 << 16):
            server.sendall(piece)
            buffer += piece
            while len(buffer) >= letter + 4:
                length = letter + struct.unpack_from("!I", buffer, letter)[0]
                if len(buffer) < length:
                    break
                message, buffer = buffer[:length], buffer[length:]
                kind, letter = message[:letter], 1
                if kind == b"P":
                    is_writing |= b"\0BEGIN ISOLATION LEVEL READ COMMITTED" in message
                    ends = b"\0COMMIT" in message or b"\0ROLLBACK" in message
                if kind == b"S":
                    self.all += 1
                    self.writing += is_writing
                    is_writing &= not ends
        server.shutdown(socket.SHUT_WR)

    def of_a_purchase(self, program, store):
        """Of one customer's, without those of the program's beginning."""
        counts = []
        for sales in (100, 300):
            before = self.all, self.writing
            program.run("sales", store, sales, address=self.address)
            counts.append((self.all - before[0], self.writing - before[1]))
        shutil.rmtree(self.folder)
        return tuple((large - small) / 200 for small, large in zip(*counts))


class Copies:
    """Makes of a store's sales by OthersSales many more: each row of each table again, with the next
    numbers, the next positions and a payment of its own, at the time of the last entry. A sale's rows are
    one entry, and those that the fold makes of it; the takings are multiplied."""

    def __init__(self, cluster, schema):
        self.cluster, self.schema = cluster, f'"{schema}"'
        self.first, self.last, self.number = map(int, cluster.sql(
            "SELECT min(position), max(position), min(number)"
            f" FROM {self.schema}.entries WHERE kind = 12")[0])
        self.count = self.last - self.first + 1
        # The end of a payment's id is the number of its sale, from 0.
        payment = "lpad(to_hex(one.position - {first} + k * {count}), 12, '0')"
        body = ("convert_to(regexp_replace(convert_from(one.body, 'UTF8'), '-8000-[0-9A-Fa-f]{{12}}',"
                f" '-8000-' || upper({payment})), 'UTF8')")
        self.tables = {
            "entries": {
                "position": "one.position + k * {count}", "number": "one.number + k * {count}",
                "next_number": "one.next_number + k * {count}", "body": body,
                "recorded_at": "(SELECT recorded_at FROM {schema}.entries"
                               " WHERE position = {last})"},
            "transactions": {"position": "one.position + k * {count}", "id": "one.id + k * {count}"},
            "payments": {
                "position": "one.position + k * {count}",
                "id": f"decode('00000000000040008000' || {payment}, 'hex')"},
            "unfinished": {"id": "one.id + k * {count}"},
            "history": {"position": "one.position + k * {count}"},
        }

    def filled(self, text):
        return text.format(
            schema=self.schema, first=self.first, last=self.last, count=self.count)

    def insert(self, table, first, last):
        """Copies first to last of the sales' rows."""
        names = [row[0] for row in self.cluster.sql(
            "SELECT attname FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped"
            f" AND attrelid = '{self.schema}.{table}'::regclass ORDER BY attnum")]
        values = [self.filled(self.tables[table].get(name, f"one.{name}")) for name in names]
        key, start = ("id", self.number) if table == "unfinished" else ("position", self.first)
        return (f"INSERT INTO {self.schema}.{table} ({', '.join(names)}) SELECT {', '.join(values)}"
                f" FROM generate_series({first}, {last}) AS k, {self.schema}.{table} AS one"
                f" WHERE one.{key} BETWEEN {start} AND {start + self.count - 1}"
                f" ORDER BY k, one.{key}")

    def make(self, times):
        """The store then has so many times the sales. Several copies a transaction, and two tables at a
        time."""
        def work(tables):
            step = max(1, 500_000 // self.count)
            for table in tables:
                self.cluster.sql(*(
                    self.insert(table, first, min(first + step, times) - 1)
                    for first in range(1, times, step)))

        others = threading.Thread(
            target=work, args=([table for table in self.tables if table != "entries"],))
        others.start()
        work(["entries"])
        others.join()
        self.cluster.sql(
            f"UPDATE {self.schema}.takings SET milliunits = milliunits * {times},"
            f" sales = sales * {times}")


class Table:
    def __init__(self):
        self.rows, self.missed = [("what", "measured", "baseline", "ratio", "must reach")], 0

    def add(self, what, measured, baseline, unit, at_least=None, at_most=None):
        ratio = measured / baseline
        reached = ratio >= at_least if at_least is not None else ratio <= at_most
        goal = f"≥ {at_least}" if at_least is not None else f"≤ {at_most}"
        self.missed += not reached
        self.rows.append((what, f"{measured:.4g} {unit}", f"{baseline:.4g} {unit}", f"{ratio:.3f}",
                          f"{goal}  {'yes' if reached else 'NO'}"))

    def show(self):
        show(self.rows)
        print("Everything that must be reached is." if not self.missed
              else f"{self.missed} not reached.")


def show(rows):
    """A table in Markdown, which can be read as it is."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths)) for row in rows]
    lines.insert(1, " | ".join("-" * width for width in widths))
    print("\n".join(f"| {line} |" for line in lines), flush=True)


def machine(cluster):
    with open("/proc/cpuinfo") as file:
        models = re.findall(r"^model name\s*: (.*)$", file.read(), re.MULTILINE) or ["processor"]
    version = cluster.sql("SHOW server_version")[0][0].split()[0]
    return f"{len(models)} × {models[0]}, PostgreSQL {version}"


def sales(program, baseline, table, rounds):
    """In turn, so that a change in the machine's speed affects both."""
    alone, bare_alone, crowd, bare_crowd = [], [], [], []
    for _ in range(rounds):
        alone.append(300 / program.seconds("sales", "bench", 300))
        bare_alone.append(baseline.rate(1, 300))
        crowd.append(64 * 40 / program.seconds("crowd", "bench", 40))
        bare_crowd.append(baseline.rate(64, 40))
    median = statistics.median
    table.add("sales one after the other, beside the same inserts", median(alone),
              median(bare_alone), "/s", at_least=0.4)
    table.add("sales 64 at once, beside the same inserts by 64 clients", median(crowd),
              median(bare_crowd), "/s", at_least=0.25)


def scale(cluster, program, count):
    """The second table of Documentation/scale.md."""
    rows = [("what", "measured")]

    def add(what, measured):
        rows.append((what, measured))
        print(f"{what}: {measured}", file=sys.stderr, flush=True)

    def size():
        return int(cluster.sql("SELECT pg_database_size(current_database())")[0][0])

    program.run("fill", "check", 500)
    Copies(cluster, "check").make(4)
    entries = int(program.run("check", "check")[-1][0])
    assert entries >= 2_000, "the copies are missing"

    before, base = size(), min(count, 50_000)
    start = time.monotonic()
    program.run("fill", "large", base)
    add(f"{base:,} sales through the ledger, 5,000 in an append",
        f"{base / (time.monotonic() - start):,.0f} /s")
    start = time.monotonic()
    copies = Copies(cluster, "large")
    copies.make(count // base)
    add(f"copies of their rows up to {count:,} sales, made by the server",
        f"{time.monotonic() - start:,.0f} s")
    cluster.sql("VACUUM ANALYZE", "CHECKPOINT")
    total = size()
    add("the database, with its indexes",
        f"{total / 1e9:.1f} GB, {(total - before) / (count // base * base):,.0f} bytes a sale")

    program.run("fill", "small", 1_000)
    for store, what in (("small", "1,000"), ("large", f"{count:,}")):
        median, slowest = map(float, program.run("purchases", store, 1_000)[-1])
        add(f"a purchase beside {what} sales; the slowest of 1,000",
            f"{median * 1e3:.1f} ms; {slowest * 1e3:.0f} ms")
        with Meanwhile(program, store) as sold:
            time.sleep(30)
        add(f"sales by 64 connections beside {what}", sold.text)
    one, all_ = map(float, program.run("pages", "large", base)[-1])
    add("a page of an account's history, 50 entries", f"{one * 1e3:.1f} ms")
    add("a page of the whole store's history, 50 entries", f"{all_ * 1e3:.1f} ms")

    with tempfile.TemporaryDirectory() as folder, Meanwhile(program, "large") as sold:
        start = time.monotonic()
        subprocess.run(
            ["pg_basebackup", "--pgdata", f"{folder}/backup", "--wal-method", "stream",
             "--checkpoint", "fast"], check=True, env=cluster.environment)
        seconds = time.monotonic() - start
    add("a backup (`pg_basebackup`), and the sales by 64 connections meanwhile",
        f"{seconds:.0f} s, {sold.text}")
    print(machine(cluster))
    show(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--sales", type=int, default=1_000_000)
    parser.add_argument("--pipelined", action="store_true")
    parser.add_argument("--scale", type=int, metavar="SALES")
    options = parser.parse_args()
    cluster = Cluster()
    try:
        program, table = Program(options.program, cluster), Table()
        if options.scale:
            scale(cluster, program, options.scale)
            return
        program.seconds("sales", "bench", 1)
        baseline = Baseline(cluster, "bench", options.pipelined)
        sales(program, baseline, table, options.rounds)
        event, notification = map(float, program.run("events", "bench", 200)[-1])
        table.add("an answered sale reaches another process, beside a bare NOTIFY", event * 1000,
                  notification * 1000, "ms", at_most=3)
        program.run("fill", "small", 1_000)
        program.run("fill", "large", options.sales)
        cluster.sql("VACUUM ANALYZE")
        for what, small, large in program.run("size", "small", "large"):
            table.add(f"{what} beside {options.sales:,} sales, not 1,000", float(large) * 1000,
                      float(small) * 1000, "ms", at_most=1.2)
        print(machine(cluster))
        table.show()
        trips = RoundTrips(cluster).of_a_purchase(program, "small")
        print(f"Round trips of a purchase: {trips[0]:.1f}, of these under the lock: {trips[1]:.1f}")
    finally:
        cluster.end()


if __name__ == "__main__":
    main()
