"""Small problems for the program: hand-made candidates, and hypothesis strategies for random ones."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction

from hypothesis import strategies as st

from planner.pricing import best_prices, tariff
from planner.values.catalog import Offer, SellerQuota
from planner.values.estimate import MemoryEstimate, TimeEstimate
from planner.values.hardware import Gpu, HardwareClass, Stack
from planner.values.layout import Layout
from planner.values.lease import Bill, Charge, Use
from planner.values.matches import Candidate
from planner.values.moving import Move, MoveEnd
from planner.values.plans import Portion, Problem, Step

QUOTAS = (SellerQuota("s0", frozenset({"o0", "o2"}), 2), SellerQuota("s1", frozenset({"o1"}), 1))
GPU = Gpu("T", "maker", Stack.CUDA, 81920, 2000.0, 300.0)


def offer(
    name: str,
    seller: str = "s",
    *,
    stock: int | None = None,
    billing: dict | None = None,
    city: str | None = None,
    spot: bool = False,
    **prices: str,
) -> Offer:
    """An offer with one card per node; prices by term."""
    return Offer.model_validate(
        {
            "id": name,
            "seller": seller,
            "gpu": "T",
            "gpus_per_node": 1,
            "stock": stock,
            "prices": {"per": "gpu", **prices},
            "currency": "CNY",
            "kind": "list",
            "source": "made up",
            "observed": date(2026, 11, 1),
            "billing": billing or {},
            "spot": spot,
            "place": None if city is None else {"city": city},
        }
    )


def candidate(
    phase: str,
    of: Offer,
    hours: int,
    *,
    safe_hours: int | None = None,
    nodes: int = 1,
    hours_per_day: int = 24,
    earliest_hours: int = 0,
) -> Candidate:
    safe = (hours if safe_hours is None else safe_hours) * 60
    priced = tariff(of, nodes)
    return Candidate(
        phase=phase,
        offer=of,
        nodes=nodes,
        hardware=HardwareClass(GPU, 1, nodes),
        layout=Layout(),
        memory=MemoryEstimate("step", (("weights", 1.0),), 1.0, 1.0, 80.0),
        time=TimeEstimate(1.0, hours, safe / 60, (("compute", hours),)),
        run_minutes=hours * 60,
        safe_run_minutes=safe,
        minutes_per_day=hours_per_day * 60,
        earliest_minutes=earliest_hours * 60,
        tariff=priced,
        prices=best_prices(priced, [Use(0, hours * 60, safe, hours_per_day * 60)]),
    )


@st.composite
def offers(draw: st.DrawFn, index: int) -> Offer:
    """Any mix of hourly, daily and monthly prices; a short month, so that small problems use it."""
    terms = draw(st.sets(st.sampled_from(["hour", "day", "month"]), min_size=1))
    prices = {
        "hour": str(Decimal(draw(st.integers(1, 3000))) / 1000),
        "day": str(Decimal(draw(st.integers(1000, 40000))) / 1000),
        "month": str(Decimal(draw(st.integers(500, 9000))) / 100),
    }
    billing = {
        "month": f"{draw(st.sampled_from([36, 48, 72]))} h",
        "increment": f"{draw(st.sampled_from([1, 5]))} h",
    }
    stopped = draw(st.sampled_from([None, "0", "50", "100"]))
    if stopped is not None:
        billing["stopped"] = {"charge": stopped}
    return offer(
        f"o{index}",
        f"s{index % 2}",
        stock=draw(st.sampled_from([None, None, 1, 2])),
        billing=billing,
        city=draw(st.sampled_from([None, "Here"])),
        spot=draw(st.sampled_from([False, True])),
        **{term: prices[term] for term in sorted(terms)},
    )


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """One to three steps, chained or side by side, on one to three offers; half of them with windows of time."""
    has_windows = draw(st.booleans())
    catalog = [draw(offers(index)) for index in range(draw(st.integers(1, 3)))]
    steps: list[Step] = []
    for index in range(draw(st.integers(1, 3))):
        chosen = draw(st.lists(st.sampled_from(catalog), min_size=1, max_size=2, unique_by=lambda o: o.id))
        candidates = []
        for of in sorted(chosen, key=lambda o: o.id):
            per_day = draw(st.sampled_from([24, 24, 12]))
            safe = 6 * draw(st.integers(1, 4))
            hours = max(1, safe - draw(st.integers(0, 7)))
            nodes = draw(st.sampled_from([1, 1, 2]))
            earliest = 6 * draw(st.sampled_from([0, 0, 0, 1, 3]))
            candidates.append(
                candidate(
                    f"p{index}",
                    of,
                    hours,
                    safe_hours=safe,
                    nodes=nodes,
                    hours_per_day=per_day,
                    earliest_hours=earliest,
                )
            )
        after = (index - 1,) if index and draw(st.integers(0, 4)) else ()
        gap = 360 * draw(st.sampled_from([0, 0, 1, 4])) if after else 0
        deadline = draw(st.sampled_from([None, None, None, 30, 48, 72]))
        patience = draw(st.sampled_from([None, 0, 1, 3])) if has_windows and after else None
        steps.append(
            Step(
                f"p{index}",
                tuple(candidates),
                after,
                gap,
                None if deadline is None else deadline * 60,
                None if patience is None else gap + 360 * patience,
                360 * draw(st.sampled_from([0, 0, 1, 3, 5])) if has_windows else 0,
            )
        )
    budget = draw(st.sampled_from([None, None, None, 5_000, 20_000]))
    return Problem(
        tuple(steps),
        "CNY",
        budget,
        blackouts_minutes=draw(blackouts()) if has_windows else (),
        sellers_at_least=draw(st.sampled_from([None, None, None, None, 2])),
        sellers_at_most=draw(st.sampled_from([None, None, None, 1])),
        spot_share_at_most=draw(st.sampled_from([None, None, None, Fraction(0), Fraction(2, 5)])),
        quotas=draw(st.sampled_from([(), (), QUOTAS[:1], QUOTAS])),
        projects=draw(projects(len(steps))),
        moves=draw(moves(steps)),
    )


@st.composite
def moves(draw: st.DrawFn, steps: Sequence[Step]) -> tuple[Move, ...]:
    """None in half of the problems; else some steps take data from some of those behind which they stand."""
    if draw(st.booleans()):
        return ()
    found = []
    for index, step in enumerate(steps):
        before = index
        while steps[before].after:
            before -= 1
            if draw(st.booleans()):
                found.append(Move(steps[before].name, step.name, 10**9, draw(move_ends()), draw(move_ends())))
    return tuple(found)


@st.composite
def move_ends(draw: st.DrawFn) -> dict[str, MoveEnd]:
    """By offer, up to 12 hours and 30.00, or nobody knows what it costs."""
    ends = {}
    for name in ("o0", "o1", "o2", "o9"):
        cost_minor = draw(st.sampled_from([None, 0, 500, 3000]))
        bill = None if cost_minor is None else moving_bill(cost_minor)
        ends[name] = MoveEnd(360 * draw(st.integers(0, 2)), bill)
    return ends


def moving_bill(cost_minor: int) -> Bill:
    """A GB at that price."""
    price = Decimal(cost_minor) / 100
    return Bill((Charge("traffic", Decimal(1), "gb", price, cost_minor),), cost_minor)


@st.composite
def projects(draw: st.DrawFn, steps: int) -> tuple[Portion, ...]:
    """None in half of the problems; else the steps cut in two, each part with a budget or without."""
    if draw(st.booleans()):
        return ()
    cut = draw(st.integers(0, steps))
    budgets = st.sampled_from([None, 3_000, 10_000])
    parts = (tuple(range(cut)), tuple(range(cut, steps)))
    return tuple(Portion(f"project {part}", part, draw(budgets)) for part in parts if part)


@st.composite
def blackouts(draw: st.DrawFn) -> tuple[tuple[int, int], ...]:
    """None, one or two, each of 6 to 18 hours within the first two and a half days; they may overlap."""
    found = draw(st.lists(st.tuples(st.integers(0, 7), st.integers(1, 3)), max_size=2))
    return tuple((360 * begins, 360 * (begins + length)) for begins, length in found)
