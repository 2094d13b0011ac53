"""The mark of a candidate: plans with the same marks in all phases are the same plan to whoever asks for others."""

from collections.abc import Callable, Hashable, Mapping

from planner.values.distinct import Distinct
from planner.values.matches import Candidate

Mark = Callable[[Candidate], Hashable]


def seller_of(candidate: Candidate) -> str:
    return candidate.offer.seller


MARKS: Mapping[Distinct, Mark] = {
    Distinct.PLAN: lambda candidate: candidate.key,
    Distinct.OFFER: lambda candidate: candidate.offer.id,
    Distinct.GPU: lambda candidate: candidate.hardware.gpu.name,
    Distinct.SELLER: seller_of,
}
