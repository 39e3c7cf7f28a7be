"""Records what posthog-python sends of errors. record-python.mjs calls it, with the address of the recorder and the name of a failure."""

import sys

from posthog import Posthog
from shop import shop

capture, scenario = sys.argv[1:3]
uncaught = scenario == "uncaught"
posthog = Posthog(
    "phc_recorded",
    host=capture,
    enable_exception_autocapture=uncaught,
    super_properties={"run": "python", "scenario": scenario},
)
if uncaught:
    shop.order()
try:
    getattr(shop, scenario)()
except Exception as error:
    posthog.capture_exception(error, distinct_id="ada")
posthog.shutdown()
