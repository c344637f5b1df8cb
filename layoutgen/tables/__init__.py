"""Tables as data, without any formatting: layouts, modifiers, rates, register types."""

from layoutgen.tables.bands import Band, BandTable, Packed, Shift, bands, by_slot, packing
from layoutgen.tables.inventory import (
    RegisterType,
    TargetGroup,
    register_types,
    target_groups,
)
from layoutgen.tables.modifiers import (
    Broadcast,
    BroadcastGroups,
    LanePattern,
    Share,
    broadcast_groups,
    broadcasts,
    conflicts,
    lane_patterns,
    shares,
)
from layoutgen.tables.rates import Peak, Rate, input_formats, peaks, rate, rates

__all__ = [
    "Band",
    "BandTable",
    "Broadcast",
    "BroadcastGroups",
    "LanePattern",
    "Packed",
    "Peak",
    "Rate",
    "RegisterType",
    "Share",
    "Shift",
    "TargetGroup",
    "bands",
    "broadcast_groups",
    "broadcasts",
    "by_slot",
    "conflicts",
    "input_formats",
    "lane_patterns",
    "packing",
    "peaks",
    "rate",
    "rates",
    "register_types",
    "shares",
    "target_groups",
]
