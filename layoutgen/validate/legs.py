"""The legs L0 to L3 over all that was read of one instruction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product as combinations

from layoutgen import emulator
from layoutgen.validate import bilinear, codes, labels, product, setting, truth
from layoutgen.validate.evidence import Evidence, TableSet
from layoutgen.validate.findings import Finding, Tally
from layoutgen.validate.observation import Observation, ProbeError
from layoutgen.validate.setting import PLAIN, Modifiers, describe
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import Fault, OperandTable, SlotArray, arrange

ALL_LEGS = ("L0", "L1", "L2", "L3")
MOST_FAULTS = 8


def run(subject: Subject, evidence: Evidence, legs: tuple[str, ...] = ALL_LEGS) -> Tally:
    """Return what the legs find and count."""
    tally = Tally()
    tally.add(evidence.findings)
    tally.counts.update(evidence.counts)
    try:
        subject.geometry  # noqa: B018 - it is observed here
    except ProbeError as error:
        tally.add([_unreadable(subject, str(error))])
        return tally
    if "L0" in legs:
        _facts(subject, evidence, tally)
    for one in evidence.sets:
        _Checked(subject, one, tally, legs).check()
    return tally


def _unreadable(subject: Subject, text: str) -> Finding:
    says = "is no sum of products as the tables have it"
    return Finding("L1", "emulator", subject.mnemonic, "emulator", "the map", says, text)


def _facts(subject: Subject, evidence: Evidence, tally: Tally) -> None:
    checked, findings = truth.own_findings(subject)
    tally.count("L0", "emulator", "facts", checked)
    tally.add(findings)
    facts = truth.truth(subject)
    for artefact in sorted({claim.artefact for claim in evidence.claims}):
        mine = [claim for claim in evidence.claims if claim.artefact == artefact]
        checked, findings = truth.compare(subject, facts, mine)
        tally.count("L0", artefact, "facts", checked)
        tally.add(findings)


class _Checked:
    """The legs L1 to L3 over one set of tables."""

    def __init__(
        self,
        subject: Subject,
        tables: TableSet,
        tally: Tally,
        legs: tuple[str, ...],
    ) -> None:
        self.subject = subject
        self.set = tables
        self.tally = tally
        self.legs = legs
        self.arrays: dict[tuple[str, Modifiers], SlotArray] = {}
        self.confirmed: set[str] = set()

    def check(self) -> None:
        """Check the plain tables, then those under modifiers."""
        needed = [name for name in self.subject.operands if name != "C"]
        lost = [name for name in needed if name not in self.set.tables]
        if lost:
            where = next((t.where(0) for t in self.set.tables.values()), self.set.name)
            says = f"no table of {' and '.join(lost)}"
            self._find("L1", where, self.set.name, says, f"the map needs {', '.join(needed)}")
            return
        sound = True
        for name, table in self.set.tables.items():
            sound &= self._arrange(name, PLAIN, table)
        for (name, modifiers), table in self.set.modified.items():
            if modifiers not in self.subject.legal:
                where, setting = table.where(0), describe(modifiers)
                says = "has a table"
                self._find("L1", where, f"{name} under {setting}", says, "the emulator refuses it")
                continue
            sound &= self._arrange(name, modifiers, table)
        if "L2" in self.legs:
            self._labels()
        if not sound:
            return
        for modifiers in self._settings():
            self._setting(modifiers)
        self._accumulators()

    def _settings(self) -> Iterator[Modifiers]:
        """Settings to check: all combinations, or each table under modifiers by itself."""
        if self.set.complete:
            yield from self.subject.settings
            return
        yield PLAIN
        for modifiers in dict.fromkeys(m for _, m in self.set.modified if m != PLAIN):
            if modifiers in self.subject.legal:
                yield modifiers

    def _arrange(self, name: str, modifiers: Modifiers, table: OperandTable) -> bool:
        array, faults = arrange(
            table,
            self.subject.geometry.shape(name),
            self.subject.width(name, modifiers),
            self.subject.slots(name, modifiers),
            shared=modifiers != PLAIN and self.subject.shared(name),
        )
        self.arrays[name, modifiers] = array
        for fault in faults[:MOST_FAULTS]:
            self._fault(table, fault, modifiers)
        return not faults

    def _fault(self, table: OperandTable, fault: Fault, modifiers: Modifiers) -> None:
        where = table.where(fault.row) if fault.row is not None else table.where(0)
        self._find("L1", where, fault.subject, fault.says, fault.wanted, describe(modifiers))

    def _read(self, name: str, modifiers: Modifiers) -> SlotArray | None:
        """The table of an operand that serves `modifiers`."""
        return self.arrays.get((name, self.subject.acting(name, modifiers)))

    def _setting(self, modifiers: Modifiers) -> None:
        found = {name: self._read(name, modifiers) for name in self.set.tables}
        arrays = {name: array for name, array in found.items() if array is not None}
        if lost := [name for name in found if name not in arrays]:
            where = self.set.tables[lost[0]].where(0)
            subject = f"{lost[0]} under {describe(modifiers)}"
            self._find("L1", where, subject, "is missing", "the emulator takes these modifiers")
            return
        if "L1" in self.legs:
            self._map(arrays, modifiers)
        if "L3" in self.legs and "C" in arrays:
            try:
                result = self.subject.result(modifiers)
            except ProbeError as error:
                self._find("L3", arrays["D"].table.where(0), "D", "integers go in", str(error))
                return
            elements, findings = product.check(
                self.subject.mnemonic,
                arrays,
                self.subject.data(modifiers),
                result,
                describe(modifiers),
            )
            self.tally.count("L3", self.set.artefact, "runs")
            self.tally.count("L3", self.set.artefact, "elements of D", elements)
            self.tally.add(findings)

    def _map(self, arrays: Mapping[str, SlotArray], modifiers: Modifiers) -> None:
        try:
            observed = self.subject.observation(modifiers)
        except ProbeError as error:
            self.tally.add([_unreadable(self.subject, str(error))])
            return
        shown = arrays["D"].slot[arrays["D"].slot >= 0]
        products = bilinear.implied(arrays)
        keys = bilinear.expected_keys(products, observed)
        limit = shown if len(shown) < observed.d_slots else None
        self._signs(arrays, observed, modifiers)
        self.tally.count("L1", self.set.artefact, "settings")
        self.tally.count("L1", self.set.artefact, "products", len(keys))
        if not bilinear.holds(keys, observed, limit):
            self.tally.add(
                bilinear.explain(
                    "L1",
                    self.subject.mnemonic,
                    arrays,
                    observed,
                    {name: self.subject.width(name, modifiers) for name in arrays},
                    describe(modifiers),
                    self.confirmed,
                )
            )

    def _signs(
        self, arrays: Mapping[str, SlotArray], observed: Observation, modifiers: Modifiers
    ) -> None:
        """Products change their sign where one of A and B is negated; C by itself."""
        if "neg" not in setting.fields_of(self.subject.record, "A"):
            return
        a, b = (arrays[name].table for name in "AB")
        told = {"A·B": -1 if a.negated != b.negated else 1}
        seen = {"A·B": observed.sign, "C": observed.c_sign}
        if "C" in arrays:
            told["C"] = -1 if arrays["C"].table.negated else 1
        for name, sign in told.items():
            self.tally.count("L1", self.set.artefact, "signs")
            if sign != seen[name]:
                says = "with its sign changed" if sign < 0 else "with its own sign"
                against = "the emulator does it the other way"
                self._find("L1", a.where(0), name, says, against, describe(modifiers))

    def _accumulators(self) -> None:
        """C: the slot that an element of D starts from is the slot of C that holds it."""
        c, d = self.arrays.get(("C", PLAIN)), self.arrays[("D", PLAIN)]
        if c is None or "L1" not in self.legs:
            return
        started = self.subject.observation().c_of_d[d.slot.clip(0)]
        held = (d.slot >= 0) & (c.slot >= 0)
        self.tally.count("L1", self.set.artefact, "accumulators", int(held.sum()))
        wrong = (held & (started != c.slot)).nonzero()
        for at in list(zip(*(axis.tolist() for axis in wrong), strict=True))[:MOST_FAULTS]:
            row = int(c.row[at])
            seen = codes.describe(int(started[at]), self.subject.widths["C"])
            against = f"the emulator adds C from {seen} to this element of D"
            where = c.table.where(row)
            self._find("L1", where, c.table.element(row), f"at {c.table.slot_of(row)}", against)

    def _labels(self) -> None:
        every = [((name, PLAIN), table) for name, table in self.set.tables.items()]
        for (name, modifiers), table in (*every, *self.set.modified.items()):
            if modifiers != PLAIN and not self._chooses(name, modifiers):
                continue
            verdict = labels.compare(
                self.subject.arch,
                self.subject.mnemonic,
                table,
                self.subject.format(name, modifiers),
            )
            if verdict.labels and not verdict.findings and modifiers == PLAIN:
                self.confirmed.add(table.operand)
            if verdict.labels:
                self.tally.count("L2", self.set.artefact, "operands")
                self.tally.count("L2", self.set.artefact, "labels", verdict.labels)
            self.tally.add(verdict.findings)

    def _chooses(self, name: str, modifiers: Modifiers) -> bool:
        """Tell whether a setting chooses another format of an operand, of which witnesses speak."""
        legal = modifiers in self.subject.legal
        return legal and self.subject.format(name, modifiers) != self.subject.formats[name]

    def _find(
        self, leg: str, where: str, subject: str, says: str, against: str, modifiers: str = ""
    ) -> None:
        finding = Finding(
            leg, self.set.artefact, self.subject.mnemonic, where, subject, says, against, modifiers
        )
        self.tally.add([finding])


def illegal(subject: Subject, takes: Mapping[Modifiers, bool], artefact: str, where: str) -> Tally:
    """Hold what is legal by an artefact against what the emulator refuses, for every encoding."""
    tally = Tally()
    for encoded, taken in takes.items():
        refused = setting.named(subject.record, encoded) not in subject.legal and subject.refuses(
            encoded
        )
        tally.count("L1", artefact, "refused settings" if refused else "legal settings")
        if taken == refused:
            says = "legal" if taken else "illegal"
            against = "the emulator refuses it" if refused else "the emulator takes it"
            name = describe(encoded) or "no modifier"
            tally.add([Finding("L1", artefact, subject.mnemonic, where, name, f"{says}", against)])
    return tally


def encodings(record: emulator.Instruction) -> Iterator[Modifiers]:
    """Yield what the fields can encode: 3, 4 and 3 bits, and 2 bits twice where there are scales.

    Bytes of scales are combined with the settings that are legal, not with all others.
    """
    for cbsz, abid, blgp in combinations(range(8), range(16), range(8)):
        yield Modifiers(cbsz, abid, blgp)
    plain = {m._replace(op_sel_a=0, op_sel_b=0) for m in setting.settings(record) if not m.neg}
    last = 4 if record.scaled else 2
    for modifiers, a, b in combinations(sorted(plain), range(last), range(last)):
        if a or b:
            yield modifiers._replace(op_sel_a=a, op_sel_b=b)
