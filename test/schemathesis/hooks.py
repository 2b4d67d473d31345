"""What Schemathesis cannot draw by itself from the document: names of time zones."""

import schemathesis
from hypothesis import strategies as st

ZONES = ["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia"]

schemathesis.openapi.format("time-zone", st.sampled_from(ZONES))
