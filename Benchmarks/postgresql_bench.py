#!/usr/bin/env python3
"""The ledger on PostgreSQL beside pgbench and a bare NOTIFY, on the same server in the same run.

    Benchmarks/postgresql_bench.py PROGRAM [--rounds 9] [--sales 1000000] [--pipelined]

A private server (.ci/postgresql-cluster) with PostgreSQL's own settings, which sync every commit. In
turn, the program sells (decide, append, sign), and pgbench inserts the rows of such a sale, with prepared
statements, into tables with the same columns and indexes. The one row that all sales change, the takings,
is left out of its transactions: 64 clients would take turns at it. A ratio is a rate divided by
pgbench's, or a time divided by the other. With --pipelined pgbench sends a transaction in one piece.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

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

    def sql(self, text):
        """The rows of a statement, as texts."""
        answer = subprocess.run(
            ["psql", "-qAt", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", text], check=True,
            capture_output=True, text=True, env=self.environment).stdout
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

    def run(self, *words):
        return [line.split() for line in subprocess.run(
            [self.path, self.cluster.address, *map(str, words)], check=True, stdout=subprocess.PIPE,
            text=True).stdout.splitlines()]

    def seconds(self, *words):
        return float(self.run(*words)[-1][0])


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
        widths = [max(len(row[column]) for row in self.rows) for column in range(5)]
        for row in self.rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        print("Everything that must be reached is." if not self.missed
              else f"{self.missed} not reached.")


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--sales", type=int, default=1_000_000)
    parser.add_argument("--pipelined", action="store_true")
    options = parser.parse_args()
    cluster = Cluster()
    try:
        program, table = Program(options.program, cluster), Table()
        program.seconds("sales", "bench", 1)
        baseline = Baseline(cluster, "bench", options.pipelined)
        sales(program, baseline, table, options.rounds)
        event, notification = map(float, program.run("events", "bench", 200)[-1])
        table.add("a sale reaches another process, beside a bare NOTIFY", event * 1000,
                  notification * 1000, "ms", at_most=3)
        program.run("fill", "small", 1_000)
        program.run("fill", "large", options.sales)
        cluster.sql("VACUUM ANALYZE")
        for what, small, large in program.run("size", "small", "large"):
            table.add(f"{what} beside {options.sales:,} sales, not 1,000", float(large) * 1000,
                      float(small) * 1000, "ms", at_most=1.2)
        table.show()
    finally:
        cluster.end()


if __name__ == "__main__":
    main()
