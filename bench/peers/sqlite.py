"""SQLite in a process of its own: one JSON line asks, one answers, times taken in here.

    {"fill": "lines.tsv", "count": 970000, "columns": [["id", "bigint"], ...]}   ->  {"version": ...}
    {"ask": [[sql, params], [sql, params]]}                        ->  {"ms": 1.2, "rows": [...]}

A question is answered by its statements one after the other; the time is that of all of them.
"""
import json
import sqlite3
import sys
import time

db = sqlite3.connect(sys.argv[1], isolation_level=None)
for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -2000000",
               "mmap_size = 8000000000", "temp_store = MEMORY"):
    db.execute(f"PRAGMA {pragma}")


def lines(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


def fill(path, count, columns):
    there = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'complete'").fetchone()[0]
    if there and db.execute("SELECT n FROM complete").fetchone()[0] == count:
        return
    for name in ("complete", "found", "tasks"):
        db.execute(f"DROP TABLE IF EXISTS {name}")
    kinds = {"bigint": "INTEGER", "text": "TEXT"}
    declared = ", ".join(f"{name} {kinds[kind]}" for name, kind in columns)
    db.execute(f"CREATE TABLE tasks ({declared}, PRIMARY KEY (id))".replace(
        "id INTEGER", "id INTEGER NOT NULL", 1))
    db.execute("BEGIN")
    marks = ", ".join("?" for _ in columns)
    db.executemany(f"INSERT INTO tasks VALUES ({marks})", lines(path))
    for column in ("date_queued", "date_started", "date_done", "project_id"):
        db.execute(f"CREATE INDEX by_{column} ON tasks ({column}, id)")
    db.execute("CREATE VIRTUAL TABLE found USING fts5(joined, content='tasks', content_rowid='id', "
               "columnsize=0, tokenize='trigram case_sensitive 1')")
    db.execute("INSERT INTO found (rowid, joined) SELECT id, joined FROM tasks")
    db.execute("INSERT INTO found (found) VALUES ('optimize')")
    db.execute("COMMIT")
    db.execute("ANALYZE")
    db.execute("CREATE TABLE complete (n)")
    db.execute("INSERT INTO complete VALUES (?)", (count,))


def ask(statements):
    started = time.perf_counter()
    rows = [db.execute(sql, params).fetchall() for sql, params in statements]
    return {"ms": (time.perf_counter() - started) * 1000, "rows": rows}


for line in sys.stdin:
    job = json.loads(line)
    if "fill" in job:
        fill(job["fill"], job["count"], job["columns"])
        answer = {"version": sqlite3.sqlite_version}
    else:
        answer = ask(job["ask"])
    print(json.dumps(answer), flush=True)
