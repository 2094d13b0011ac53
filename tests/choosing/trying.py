"""How many random problems a test tries: some hundreds each time, thousands under `make fuzz`."""

import os

from hypothesis import HealthCheck, Phase, settings

TIMES = int(os.environ.get("PLANNER_FUZZ", "1"))


def tried(examples: int) -> settings:
    """Settings for so many random problems, new ones with each run of `make fuzz` and the same ones otherwise.

    Shrinking takes minutes where each step enumerates every plan again.
    """
    return settings(
        max_examples=examples * TIMES,
        derandomize=TIMES == 1,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.reuse, Phase.generate],
    )
