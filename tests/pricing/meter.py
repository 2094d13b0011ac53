"""A meter that walks a lease from tick to tick, as a seller's own does.

It reads an offer as its catalog writes it, and shares nothing with the planner but the written words: each tick asks
whether a machine runs, waits or is paid for, by plain arithmetic; months come from dateutil.
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Any

from dateutil.relativedelta import relativedelta

from planner.values.lease import Use

DAY = 24 * 60
MONTHS = {"year": 12, "quarter": 3, "month": 1}


@dataclass(frozen=True)
class Lease:
    """An offer as it is written, what is rented of it, and the minutes of a tick: all times are whole ticks."""

    sold: dict[str, Any]
    nodes: int
    starts: date
    uses: tuple[Use, ...]
    terms: dict[str, int]
    tick_minutes: int

    @property
    def billing(self) -> dict[str, Any]:
        billing: dict[str, Any] = self.sold["billing"]
        return billing

    @property
    def prices(self) -> dict[str, Any]:
        prices: dict[str, Any] = self.sold["prices"]
        return prices

    @cached_property
    def span_minutes(self) -> int:
        """To the end of the last use."""
        days = max(use.start_minutes // DAY + use.safe_run_minutes // use.minutes_per_day + 2 for use in self.uses)
        minute = days * DAY
        while not any(_lasts(use, minute - self.tick_minutes) for use in self.uses):
            minute -= self.tick_minutes
        return minute

    @cached_property
    def prepaid_minutes(self) -> int:
        rule, terms = self.billing.get("month", "720 h"), self.terms
        days = 7 * terms.get("week", 0) + terms.get("day", 0)
        if rule in ("calendar", "month_end"):
            return _month_end(rule, self.starts, sum(MONTHS.get(name, 0) * n for name, n in terms.items())) + days * DAY
        months = terms.get("month", 0) + 3 * terms.get("quarter", 0)
        return months * _fixed_month(rule) + (365 * terms.get("year", 0) + days) * DAY

    @cached_property
    def ticks(self) -> list[tuple[int, str]]:
        """Each tick that is not prepaid: run, booked without being expected to run, or wait."""
        found = []
        for minute in range(self.prepaid_minutes, self.span_minutes, self.tick_minutes):
            kinds = [_kind(use, minute) for use in self.uses]
            found.append((minute, "run" if "run" in kinds else "booked" if "booked" in kinds else "wait"))
        return found

    def day(self, minute: int) -> date:
        return self.starts + timedelta(days=minute // DAY)

    @cached_property
    def months(self) -> list[tuple[int, int, Fraction]]:
        """From and to of each month of the lease, and the share of a whole one that it is."""
        rule, start = self.billing.get("month", "720 h"), 0
        found: list[tuple[int, int, Fraction]] = []
        while start < self.span_minutes:
            number = len(found) + 1
            calendar = rule in ("calendar", "month_end")
            end = _month_end(rule, self.starts, number) if calendar else number * _fixed_month(rule)
            share = Fraction(1)
            if rule == "month_end" and number == 1:
                first = self.starts.replace(day=1)
                share = Fraction(end - start, ((first + relativedelta(months=1)) - first).days * DAY)
            found.append((start, end, share))
            start = end
        return found

    def month(self, minute: int) -> int:
        return next(n for n, (first, last, _) in enumerate(self.months) if first <= minute < last)


def _fixed_month(rule: str) -> int:
    number, unit = rule.split()
    return int(number) * (DAY if unit == "days" else 60)


def _month_end(rule: str, starts: date, number: int) -> int:
    first = starts if rule == "calendar" or not number else starts.replace(day=1)
    return (first + relativedelta(months=number) - starts).days * DAY


def _kind(use: Use, minute: int) -> str:
    days, within = divmod(minute - use.start_minutes, DAY)
    if days < 0 or within >= use.minutes_per_day:
        return "wait"
    before = days * use.minutes_per_day + within
    return "run" if before < use.run_minutes else "booked" if before < use.safe_run_minutes else "wait"


def _lasts(use: Use, minute: int) -> bool:
    """A day whose hours are all used lasts to its end, the last one until it has run."""
    days, within = divmod(minute - use.start_minutes, DAY)
    left = use.safe_run_minutes - days * use.minutes_per_day
    return days >= 0 and (left >= use.minutes_per_day or within < left)


def half_up(amount: Fraction) -> int:
    """Hundredths of a currency."""
    return floor(amount * 100 + Fraction(1, 2))


def metered_minor(lease: Lease, *, is_safe: bool) -> int:
    """What the lease costs in hundredths, with all booked hours or with the expected ones."""
    kinds = {"run": "run", "wait": "wait"} | ({"booked": "run"} if is_safe else {})
    ticks = [(minute, kinds[kind]) for minute, kind in lease.ticks if kind in kinds]
    return _terms(lease) + _fees(lease) + _hours(lease, ticks) + _overage(lease, is_safe=is_safe)


def _parts(lease: Lease) -> list[tuple[dict[str, Any], int]]:
    """Prices, and how many units of them are rented."""
    gpus = lease.nodes * int(lease.sold["gpus_per_node"])
    listed = [lease.prices, *lease.prices.get("components", ())]
    return [(prices, gpus if prices["per"] == "gpu" else lease.nodes) for prices in listed]


def _less(lease: Lease, price: str) -> Fraction:
    """A price less what so many nodes take off."""
    offs = [Fraction(one["off"]) for one in lease.billing.get("volume_discounts", ()) if lease.nodes >= one["from"]]
    return Fraction(price) * (100 - max(offs, default=Fraction(0))) / 100


def _changes(lease: Lease, prices: dict[str, Any], day: date) -> list[dict[str, Any]]:
    """Announced prices that hold on a day, the latest last."""
    begun = [change for change in prices.get("changes", ()) if date.fromisoformat(change["from"]) <= day]
    return sorted(begun, key=lambda change: str(change["from"])) if prices is lease.prices else []


def _hours(lease: Lease, ticks: list[tuple[int, str]]) -> int:
    stopped: dict[str, Any] = lease.billing.get("stopped", {"allowed": False})
    can_stop = stopped.get("allowed", True)
    by_month: dict[int, int] = {}
    counted_hours = Fraction(0)
    for number, (prices, units) in enumerate(_parts(lease)):
        running = _stretches(lease, prices, [minute for minute, kind in ticks if kind == "run"])
        if can_stop:
            waiting = _stretches(lease, prices, [minute for minute, kind in ticks if kind == "wait"])
            share = Fraction(stopped["charge"]) / 100 if "flat_fee" not in stopped else Fraction(0)
            lines = [(key, hours, Fraction(1)) for key, hours in running.items()]
            lines += [(key, hours, share) for key, hours in waiting.items()]
        else:
            whole = _stretches(lease, prices, [minute for minute, _ in ticks])
            lines = [(key, min(hours, whole[key]), Fraction(1)) for key, hours in running.items()]
            lines += [
                (key, hours - min(hours, running.get(key, Fraction(0))), Fraction(1)) for key, hours in whole.items()
            ]
        for (month, period), hours, share in lines:
            cost_minor = half_up(hours * share * units * _hour_price(lease, prices, period))
            by_month[month] = by_month.get(month, 0) + cost_minor
        if number == 0:
            counted_hours = sum((running if can_stop else whole).values(), Fraction(0))
    if can_stop and "flat_fee" in stopped:
        _add_flat(lease, ticks, by_month, Fraction(stopped["flat_fee"]))
    if "monthly_cap" in lease.billing:
        cap = half_up(Fraction(lease.billing["monthly_cap"]) * _parts(lease)[0][1])
        by_month = {month: min(cap, cost) for month, cost in by_month.items()}
    return _at_least(lease, sum(by_month.values()), counted_hours) if lease.ticks else 0


def _stretches(lease: Lease, prices: dict[str, Any], minutes: list[int]) -> dict[tuple[int, int], Fraction]:
    """Billed hours of these ticks by month, where months are capped, and by how many prices have changed before."""
    found: dict[tuple[int, int], list[int]] = {}
    last = (-1, -1, -1)
    for minute in minutes:
        month = lease.month(minute) if "monthly_cap" in lease.billing else 0
        period = len(_changes(lease, prices, lease.day(minute))) if "changes" in prices else 0
        mine = found.setdefault((month, period), [])
        if last != (month, period, minute - lease.tick_minutes):
            mine.append(0)
        mine[-1] += lease.tick_minutes
        last = (month, period, minute)
    return {key: _billed_hours(lease, lengths) for key, lengths in found.items()}


def _hour_price(lease: Lease, prices: dict[str, Any], period: int) -> Fraction:
    """After so many changes, less what a lease of that length takes off."""
    offs = [
        Fraction(one["off"])
        for one in lease.billing.get("length_discounts", ())
        if lease.span_minutes >= int(one["from"].split()[0]) * 60
    ]
    return _undiscounted(lease, prices, period) * (100 - max(offs, default=Fraction(0))) / 100


def _undiscounted(lease: Lease, prices: dict[str, Any], period: int) -> Fraction:
    price = prices["hour"]
    for change in sorted(prices.get("changes", ()), key=lambda change: str(change["from"]))[:period]:
        price = change.get("hour", price)
    return _less(lease, price)


def _billed_hours(lease: Lease, lengths: list[int]) -> Fraction:
    """Rounded up to the increment: each start, or all of them together."""
    number, unit = lease.billing.get("increment", "1 h").split()
    seconds = int(number) * {"s": 1, "min": 60, "h": 3600}[unit]
    together = lengths if lease.billing.get("rounding") == "start" else [sum(lengths)]
    return Fraction(sum(ceil(Fraction(minutes * 60, seconds)) for minutes in together) * seconds, 3600)


def _add_flat(lease: Lease, ticks: list[tuple[int, str]], by_month: dict[int, int], flat: Fraction) -> None:
    is_capped = "monthly_cap" in lease.billing
    months: dict[int, Fraction] = {}
    for minute, kind in ticks:
        if kind == "wait":
            first, last, share = lease.months[lease.month(minute)]
            window = lease.month(minute) if is_capped else 0
            part = share * Fraction(lease.tick_minutes, last - first)
            months[window] = months.get(window, Fraction(0)) + part
    for window, count in months.items():
        by_month[window] = by_month.get(window, 0) + half_up(lease.nodes * count * flat)


def _at_least(lease: Lease, cost_minor: int, counted_hours: Fraction) -> int:
    """What the least time and the least amount of a lease without terms make of it."""
    if lease.prepaid_minutes:
        return cost_minor
    number, unit = lease.billing.get("min_time", "0 min").split()
    missing = Fraction(int(number) * {"min": 1, "h": 60}[unit], 60) - counted_hours
    if missing > 0:
        for prices, units in _parts(lease):
            first_price = _undiscounted(lease, prices, len(_changes(lease, prices, lease.starts)))
            cost_minor += half_up(missing * units * first_price)
    return max(cost_minor, half_up(Fraction(lease.billing.get("min_charge", "0"))))


def _terms(lease: Lease) -> int:
    """Term by term at the prices of the first day; the first month to a month's end costs its days' share."""
    total = 0
    for prices, units in _parts(lease):
        for name, count in lease.terms.items():
            written = prices[name]
            for change in _changes(lease, prices, lease.starts):
                written = change.get(name, written)
            rate = written if isinstance(written, dict) else {"amount": written}
            off = max((Fraction(one["off"]) for one in rate.get("discounts", ()) if count >= one["from"]), default=0)
            first, later = (
                _less(lease, rate[key]) * (100 - off) / 100 if key in rate else None
                for key in ("amount", "renewal_price")
            )
            assert first is not None
            number, share = count if later is None else 1, Fraction(1)
            if name == "month" and lease.billing.get("month") == "month_end":
                following = lease.starts.replace(day=1) + relativedelta(months=1)
                left = (following - lease.starts).days
                share = Fraction(left, (following - timedelta(days=1)).day)
            if share != 1:
                total += half_up(share * units * first)
                number -= 1
            total += half_up(number * units * first)
            total += half_up((count - 1) * units * later) if later is not None else 0
    return total


def _overage(lease: Lease, *, is_safe: bool) -> int:
    """Each term by itself: its running ticks, rounded up, beyond the hours that it holds."""
    total = 0
    for prices, units in _parts(lease):
        edges, bought = [0], dict[str, int]()
        for name, count in lease.terms.items():
            beyond = Fraction(0)
            rate = prices[name] if isinstance(prices[name], dict) else {}
            for _ in range(count):
                bought[name] = bought.get(name, 0) + 1
                edges.append(replace(lease, terms=dict(bought)).prepaid_minutes)
                ran = [
                    minute
                    for minute in range(edges[-2], min(edges[-1], lease.span_minutes), lease.tick_minutes)
                    if {"run", "booked" if is_safe else "run"} & {_kind(use, minute) for use in lease.uses}
                ]
                hours = _billed_hours(lease, [len(ran) * lease.tick_minutes])
                beyond += max(Fraction(0), hours - Fraction(rate.get("included_hours", 10**9)))
            if "overage" in rate:
                total += half_up(beyond * units * _less(lease, rate["overage"]))
    return total


def _fees(lease: Lease) -> int:
    total, length = 0, lease.span_minutes
    for fee in lease.sold.get("fees", ()):
        times = {"once": Fraction(1), "hour": Fraction(length, 60), "day": Fraction(length, DAY)}
        times["month"] = sum(
            (share * Fraction(min(last, length) - first, last - first) for first, last, share in lease.months),
            Fraction(0),
        )
        total += half_up(
            Fraction(Decimal(fee["amount"])) * times[fee["per"]] * (1 if fee["of"] == "lease" else lease.nodes)
        )
    return total
