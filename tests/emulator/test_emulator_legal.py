"""What cbsz, abid, blgp and op_sel may be, for every instruction of every architecture."""

import itertools

import pytest

from layoutgen import emulator
from layoutgen.emulator.modifiers import check_modifiers

ALL = [(arch, name) for arch in emulator.architectures() for name in emulator.mnemonics(arch)]
# What each field is for, by architecture: how many instructions.
ROLES = {
    "gfx908": {("broadcast", "lanes"): 20},
    "gfx90a": {("broadcast", "lanes"): 25, ("none", "none"): 2},
    "gfx942": {
        ("broadcast", "lanes"): 14,
        ("broadcast", "none"): 16,
        ("none", "negate"): 2,
        ("index", "none"): 14,
    },
    "gfx950": {
        ("broadcast", "lanes"): 14,
        ("broadcast", "none"): 20,
        ("none", "negate"): 2,
        ("format", "format"): 4,
        ("index", "none"): 28,
    },
}


@pytest.mark.parametrize("arch", emulator.architectures())
def test_what_the_fields_are_for(arch):
    roles = {}
    for name in emulator.mnemonics(arch):
        record = emulator.instruction(arch, name)
        key = record.cbsz_role, record.blgp_role
        roles[key] = roles.get(key, 0) + 1
    assert roles == ROLES[arch]


@pytest.mark.parametrize(("arch", "mnemonic"), ALL)
def test_what_is_not_listed_is_refused(arch, mnemonic):
    record = emulator.instruction(arch, mnemonic)
    legal = set(emulator.legal_modifiers(arch, mnemonic))
    assert len(legal) == len(emulator.legal_modifiers(arch, mnemonic))
    for setting in itertools.product(range(9), range(17), range(9)):
        full = (*setting, 0, 0) if record.scaled else setting
        if full in legal:
            assert check_modifiers(record, *setting)[:3] == setting
        else:
            with pytest.raises(emulator.EmulatorError):
                check_modifiers(record, *setting)
    for chosen in ((4, 0), (0, 4), (1, 0), (0, 3)):
        if record.scaled and max(chosen) < 4:
            assert (0, 0, 0, *chosen) in legal
            check_modifiers(record, 0, 0, 0, *chosen)
        else:
            with pytest.raises(emulator.EmulatorError):
                check_modifiers(record, 0, 0, 0, *chosen)


def test_only_multi_block_instructions_broadcast_a():
    for arch, name in ALL:
        record = emulator.instruction(arch, name)
        if record.cbsz_role == "broadcast":
            largest = max(setting.cbsz for setting in emulator.legal_modifiers(arch, name))
            assert 2**largest == record.blocks


def test_a_setting_can_be_handed_on_by_name():
    plain = emulator.legal_modifiers("gfx942", "v_smfmac_f32_16x16x32_f16")[1]
    assert plain._asdict() == {"cbsz": 0, "abid": 1, "blgp": 0}
    scaled = emulator.legal_modifiers("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4")[-1]
    assert scaled == (4, 0, 4, 3, 3)
    assert list(scaled._asdict()) == ["cbsz", "abid", "blgp", "op_sel_a", "op_sel_b"]


def test_terms_take_format_codes_of_f8f6f4_only():
    name = "v_mfma_f32_16x16x128_f8f6f4"
    eight, six = (emulator.terms("gfx950", name, 0, 0, cbsz=code) for code in (0, 3))
    assert len(eight) == len(six) == 128
    assert {t.a_lane for t in eight[:32]} == {0, 16}
    assert {t.a_lane for t in six[:32]} == {0}
    assert (six[5].a_register, six[5].a_bit) == (0, 30)  # reaches into the next register
    with pytest.raises(emulator.EmulatorError, match="no such format code"):
        emulator.terms("gfx950", name, 0, 0, blgp=5)
    with pytest.raises(emulator.EmulatorError, match="has no format codes"):
        emulator.terms("gfx950", "v_mfma_f32_16x16x32_f16", 0, 0, cbsz=1)
