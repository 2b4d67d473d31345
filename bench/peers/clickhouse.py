"""ClickHouse (chdb) in a process of its own, its data in memory, times taken in here.

    {"fill": "lines.tsv", "count": 970000, "columns": [["id", "bigint"], ...]}   ->  {"version": ...}
    {"ask": [sql, sql]}                                            ->  {"ms": 1.2, "rows": [...]}
"""
import json
import sys
import time

sys.path.insert(0, sys.argv[1])
from chdb import session  # noqa: E402

db = session.Session()
db.query("CREATE DATABASE bench")
db.query("USE bench")


def run(sql):
    answer = str(db.query(sql, "JSONCompactEachRow"))
    return [json.loads(line) for line in answer.splitlines() if line]


def fill(path, count, columns):
    kinds = {"bigint": "Int64", "text": "String"}
    declared = ", ".join(f"{name} {kinds[kind]}" for name, kind in columns)
    db.query("SET use_query_condition_cache = 0")
    db.query("SET use_query_cache = 0")
    db.query(f"CREATE TABLE tasks ({declared}) ENGINE = Memory")
    db.query(f"INSERT INTO tasks SELECT * FROM file('{path}', 'TSVRaw', '{declared}')")
    [[filled]] = run("SELECT count() FROM tasks")
    if int(filled) != count:
        raise SystemExit(f"{filled} of {count} lines")


def ask(statements):
    started = time.perf_counter()
    answers = [str(db.query(sql, "JSONCompactEachRow")) for sql in statements]
    ms = (time.perf_counter() - started) * 1000
    return {"ms": ms, "rows": [[json.loads(line) for line in one.splitlines() if line]
                               for one in answers]}


for line in sys.stdin:
    job = json.loads(line)
    if "fill" in job:
        fill(job["fill"], job["count"], job["columns"])
        answer = {"version": run("SELECT version()")[0][0]}
    else:
        answer = ask(job["ask"])
    print(json.dumps(answer), flush=True)
