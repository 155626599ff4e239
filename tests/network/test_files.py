"""Network files: TOML and fragments, read, written and run; mistakes with their lines; runs that are resumed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from floatframe.cli.main import run as run_command
from floatframe.errors import FloatframeError, ModelError
from floatframe.hybrid import Record, Results
from floatframe.io import ResultWriter
from floatframe.network import LIBRARY, Network, doubtful_connections, is_network_file, read_network, write_network
from floatframe.network.files import reference
from tests.cli.json_output import printed
from tests.network import filter_network

FILTER = f"""\
{filter_network.FILTER}
[[node]]
name = "out"
voltage = 2.0

[record]
every = 1e-3

[simulate]
t_end = "5*R*1e-5"
step = 1e-4
"""
FRAGMENT = """\
$ FRAGMENT: Пример
# BASE: 1
# STRUCTURE:
Пружина' K (1 2; k)
Нелинейный демпфер ' MUNL (1 2; 1000)
Масса ' M (2; 0.1)
Воздействие ' FSIN (2 1; 1000, 0.2*pi, 0)
Начало' VN (2; 0.25)
# DATA:
k = 20000
"""


def written(tmp_path, text: str, name: str = "net.toml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_runs_as_the_network_of_python(tmp_path):
    file = read_network(written(tmp_path, FILTER))
    result = file.compile().simulate(settings=file.settings(), record=file.record())
    net = Network()
    net.add("source", "voltage_source", ["in"], voltage="10*sin(2*pi*50*t)")
    net.add("R1", "resistor", ["in", "out"], resistance=100.0)
    net.add("C1", "capacitor", ["out", "ground"], capacitance=1e-5)
    net.start("out", v=2.0)
    own = net.compile().simulate(5e-3, step=1e-4, record=Record(every=1e-3))
    np.testing.assert_array_equal(result["out.voltage"], own["out.voltage"])
    np.testing.assert_allclose(result.t, 1e-3 * np.arange(6), atol=1e-15)


@pytest.mark.parametrize("suffix", [".toml", ".pradis"])
@pytest.mark.parametrize("text", [FILTER, FRAGMENT])
def test_what_is_written_reads_back_as_the_same_network(tmp_path, text, suffix):
    first = read_network(written(tmp_path, text)).network
    write_network(tmp_path / f"again{suffix}", first)
    again = read_network(tmp_path / f"again{suffix}").network
    # defaults in the middle are written out in fragments
    for one, other in zip(first.elements.values(), again.elements.values(), strict=True):
        assert (one.name, one.kind, one.nodes) == (other.name, other.kind, other.nodes)
        assert {**dict.fromkeys(other.values, 0.0), **one.values} == other.values
    assert (again.name, again.base, again.starts, again.parameters) == (
        *(first.name, first.base, first.starts, first.parameters),
    )


@pytest.mark.parametrize("suffix", [".toml", ".pradis"])
def test_every_kind_is_written_and_read_with_odd_numbers(tmp_path, suffix):
    """Values to their last bit, expressions with commas and truths, names with dots and other letters."""
    odd = [0.1 + 0.2, "min(k, 3)*1e-3", 1.7976931348623157e300, "if(1 < 2 and not 2 < 1, k, -k)", 5e-324]
    net = Network("Насос-1.b", base=["0", "Erde"], parameters={"k": 2.0 / 3.0, "m": "k^2"})
    for number, kind in enumerate(LIBRARY.values()):
        nodes = [f"{kind.name}.{one.name}-{number}" for one in kind.terminals if not one.optional]
        values = {one.name: odd[(number + k) % len(odd)] for k, one in enumerate(kind.values)}
        net.add(f"{kind.name}.é{number}", kind, nodes, **values)
    net.start(nodes[0], x=-1e-17, v="-k")
    write_network(tmp_path / f"net{suffix}", net)
    again = read_network(tmp_path / f"net{suffix}").network
    assert again.elements == net.elements
    assert (again.name, again.base, again.starts, again.parameters) == (net.name, net.base, net.starts, net.parameters)


def test_the_fragment_of_the_worked_example(tmp_path):
    network = read_network(written(tmp_path, FRAGMENT, "example.pradis")).network
    assert network.name == "Пример"
    assert [one.kind.name for one in network.elements.values()] == ["spring", "quadratic_damper", "mass", "sine_force"]
    assert network.elements["Нелинейный_демпфер"].nodes == ("1", "2")
    assert network.compile().start[1, 0] == 0.25


def test_the_fragment_of_the_manual_with_names_of_several_words(tmp_path):
    """Letter by letter as printed, with its numbers as data; it moves as the worked example."""
    printed_there = """\
$ FRAGMENT: Пример
# BASE: 1
# STRUCTURE:
Пружина' K (1 2; Коэффициент жесткости)
Нелинейный демпфер ' MUNL (1 2; Коэффициент вязкости)
Масса ' M (2; Масса тела)
Воздействие ' FSIN (2 1; Q, T, начальная фаза)
"""
    data = (
        "Коэффициент жесткости = 20000",
        "Коэффициент вязкости = 1000",
        "Масса тела = 0.1",
        "Q = 1000",
        "T = 0.2*pi",
    )
    path = written(tmp_path, "\n".join((f"{printed_there}# DATA:", *data, "начальная фаза = 0\n")), "manual.pradis")
    network = read_network(path).network
    assert network.parameters["Масса_тела"] == 0.1
    first = network.compile().simulate(1e-3, step=1e-3, method="stormer")
    assert first["2.velocity"][-1] == pytest.approx(0.059126392, abs=5e-10)  # of the printed table
    (tmp_path / "and.pradis").write_text("$ FRAGMENT: x\n# STRUCTURE:\ns' SIGNAL (; t > 1 and not my name > 2)\n")
    assert read_network(tmp_path / "and.pradis").network.elements["s"].values["value"] == "t > 1 and not my_name > 2"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('kind = "resistor"', 'kind = "resister"', "the kind does not exist; did you mean resistor"),
        ('resistance = "R"', "resistence = 1.0", "'resistence' is not a key of a resistor; did you mean resistance"),
        ('resistance = "R"', "resistance = -1.0", "is -1 Ohm, must be above 0"),
        ('resistance = "R"', 'resistance = "Q"', "unknown name 'Q'"),
        ('"10*sin(2*pi*50*t)"', '"R1.current"', "'R1.current' .* is a result, which inputs and events cannot read"),
        ('"10*sin(2*pi*50*t)"', '"R1.curent"', "unknown name 'R1.curent'"),
        ('nodes = ["out", "ground"]', 'nodes = ["out"]', "found 1 node, expected 2: a, b"),
        ('[[node]]\nname = "out"', '[[node]]\nname = "ot"', "node 'ot': the node does not exist; did you mean out"),
        ("voltage = 2.0", "temperature = 2.0", "the node is electric and has no temperature"),
        ("step = 1e-4", "step = 1e-18", "times about 0.005 s are only known to 8.7e-19 s"),
        ("step = 1e-4", 'method = "rk4"', "method 'rk4' does not exist for networks"),
    ],
)
def test_mistakes_have_their_line_and_cure(tmp_path, old, new, words):
    text = FILTER.replace(old, new, 1)
    path, line = written(tmp_path, text), text[: text.index(new)].count("\n") + 1

    def used():
        file = read_network(path)
        file.compile()
        file.settings()

    with pytest.raises(FloatframeError, match=words) as error:
        used()
    assert str(error.value).startswith(f"{path}:{line}: ")


def test_an_element_that_is_no_table_is_refused(tmp_path):
    path = written(tmp_path, 'format = "floatframe-network/1"\nelement = [5]\n')
    with pytest.raises(FloatframeError, match="element is 5, expected a table"):
        read_network(path)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("' K (1 2; k)", "' KK (1 2; k)", 4, "the model KK does not exist"),
        ("(2; 0.1)", "(2; 0.1, 3)", 6, "M takes mass, found 2 numbers"),
        ("# STRUCTURE", "# STRUKTURE", 3, "# STRUKTURE is not known"),
        ("k = 20000", "k: 20000", 10, "expected a number such as: k = 20000"),
        ("k = 20000", "k = 20000\nk = 3", 11, "'k' has a number already in line 10"),
        ("k = 20000", "1k = 20000", 10, "expected a number such as: k = 20000"),
        ("(2; 0.1)", "(2; 0.1", 6, "expected an element such as"),
        ("1000, 0.2", "1000, , 0.2", 7, "a number is missing in '1000, , 0.2"),
        ("# BASE: 1", "# BASE: 1;", 2, "found '1;', expected names or numbers of nodes"),
        ("$ FRAGMENT", "$ FRAGMNT", 1, "expected \\$ FRAGMENT: name"),
        ("# DATA", "$ FRAGMENT: two\n# DATA", 9, "found a second \\$ FRAGMENT"),
    ],
)
def test_mistakes_of_fragments(tmp_path, old, new, line, words):
    path = written(tmp_path, FRAGMENT.replace(old, new, 1), "net.pradis")
    with pytest.raises(FloatframeError, match=words) as error:
        read_network(path)
    assert f"{path}:{line}: " in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("k = 20000", "k = 3 +", 10, "parameter 'k': found the end of the expression"),
        ("k = 20000", "k = 20000\nt = 3", 11, "t is the time; choose another name"),
        ("# DATA", "floating' K (3 4; 5)\n# DATA", 9, "'4' is not determined by the elements that join it"),
        ("# DATA", "start' VN (1; 5)\n# DATA", 9, "node '1': the node is a base, whose potential is zero"),
    ],
)
def test_mistakes_of_whole_fragments_have_lines(tmp_path, old, new, line, words):
    path = written(tmp_path, FRAGMENT.replace(old, new, 1), "net.pradis")
    file = read_network(path)
    with pytest.raises(FloatframeError, match=words) as error, file.placed():
        file.compile().simulate(1e-3, step=1e-4)
    assert str(error.value).startswith(f"{path}:{line}: ")


def test_fragments_are_utf_8(tmp_path):
    path = tmp_path / "net.pradis"
    path.write_bytes(FRAGMENT.encode("cp1251"))
    with pytest.raises(FloatframeError, match=f"{path}:1: the text is not UTF-8; save the file in that encoding"):
        read_network(path)


def test_nodes_of_two_physics_are_refused():
    net = Network()
    net.add("R", "resistor", ["a", "ground"], resistance=1.0)
    net.add("m", "mass", ["a"], mass=1.0)
    with pytest.raises(ModelError, match="joins node 'a' as translation, but resistor 'R' joins it as electric"):
        net.compile()


def test_an_unknown_that_nothing_determines_is_named():
    net = Network()
    net.add("I", "current_source", ["a"], current=1.0)
    with pytest.raises(ModelError, match="'a' is not determined by the elements that join it"):
        net.compile().simulate(1.0, step=0.1)


def test_the_command_converts_between_both_forms(capsys, tmp_path):
    source = written(tmp_path, FILTER)
    there = printed(capsys, "convert", source, tmp_path / "net.pradis")
    assert (there["kind"], there["name"]) == ("Network", "filter")
    printed(capsys, "convert", tmp_path / "net.pradis", tmp_path / "back.toml")
    back, first = (read_network(path).network for path in (tmp_path / "back.toml", source))
    assert [(one.name, one.kind, one.nodes) for one in back.elements.values()] == [
        (one.name, one.kind, one.nodes) for one in first.elements.values()
    ]
    assert back.elements["source"].values["voltage"] == first.elements["source"].values["voltage"]
    assert run_command(["convert", str(source), str(tmp_path / "net2.pradis")]) == 0
    assert "has no [record] and [simulate] of" in capsys.readouterr().err.replace("\n", " ")
    assert run_command(["convert", str(source), str(tmp_path / "net.h5")]) == 2
    assert "networks are written as .toml or .pradis" in capsys.readouterr().err.replace("\n", " ")


def test_commands_refuse_options_that_do_nothing_with_networks(capsys, tmp_path):
    source = written(tmp_path, FILTER)
    options = ["--units", "mm-t-s", "--node-set", "a=1"]
    assert run_command(["convert", str(source), str(tmp_path / "o.toml"), *options]) == 2
    assert "--units, --node-set with the network" in " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert not (tmp_path / "o.toml").exists()
    assert run_command(["simulate", str(source), "-o", str(tmp_path / "run.h5"), "--channel", "nonsense"]) == 2
    assert "--channel chooses what --live plots" in " ".join(capsys.readouterr().err.replace("│", " ").split())


def test_a_start_by_parameters_follows_them_each_time():
    net = Network(parameters={"V0": 1.0})
    net.add("C", "capacitor", ["a", "ground"], capacitance=1.0)
    net.start("a", v="V0", x="2*V0")
    assert [net.compile(given).start[1, 0] for given in ({"V0": 2.0}, {"V0": 3.0}, {})] == [2.0, 3.0, 1.0]
    assert net.starts["a"].x == "2*V0"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"step": "1e-3"}, "step is '1e-3', expected a number"),
        ({"rtol": True}, "rtol is True, expected a number"),
        ({"method": 5}, "method '5' does not exist for networks"),
        ({"steps": 1e-3}, "setting 'steps' does not exist for networks; did you mean step"),
        ({"step_rule": 1.31}, "step_rule is '1.31', expected 1.30 or 2.23"),
    ],
)
def test_settings_that_make_no_sense_are_refused(given, words):
    net = Network()
    net.add("R", "resistor", ["a", "ground"], resistance=1.0)
    with pytest.raises(ModelError, match=words):
        net.compile().simulate(1.0, **given)
    assert net.compile().simulate(1.0, step=0.5, step_rule=1.3).status.ok  # the number of the rule as a number


def test_a_gear_whose_ratio_is_zero_is_refused():
    net = Network()
    net.add("gear", "gear", ["a", "b"], ratio="1 - 1")
    with pytest.raises(ModelError, match="gear 'gear': its ratio is 0"):
        net.compile()


def test_a_base_that_is_no_list_is_refused():
    with pytest.raises(ModelError, match="network 'x': base is 'earth', expected a list of nodes"):
        Network("x", base="earth")


@pytest.mark.parametrize("nodes", ["out", 5, None])
def test_nodes_that_are_no_list_are_refused(nodes):
    with pytest.raises(ModelError, match=f"mass 'm': found {nodes!r}, expected a list of nodes"):
        Network().add("m", "mass", nodes, mass=1.0)


def test_a_network_without_unknowns_is_refused():
    net = Network("dead")
    net.add("R", "resistor", ["ground", "ground"], resistance=1.0)
    with pytest.raises(ModelError, match="network 'dead' has nothing to find: all nodes of its elements are ground"):
        net.compile()


def test_the_command_simulates_describes_and_resumes(capsys, tmp_path):
    path = written(tmp_path, FILTER)
    assert is_network_file(path)
    run, whole = tmp_path / "run.h5", tmp_path / "whole.h5"
    assert printed(capsys, "simulate", path, "-o", whole)["step_count"] == 50
    printed(capsys, "simulate", path, "-o", run, "--t-end", "0.002")
    printed(capsys, "simulate", path, "-o", run, "--resume")
    one, two = Results.open(whole), Results.open(run)
    np.testing.assert_array_equal(two["out.voltage"], one["out.voltage"])
    assert one.meta.model == FILTER
    assert printed(capsys, "info", path)["content"] == "network"
    smaller = printed(capsys, "simulate", path, "-o", run, "--set", "R=50")
    assert smaller["time_s"] == pytest.approx(2.5e-3)


def test_a_run_ends_at_an_event_of_its_potentials(tmp_path):
    """An empty capacitor reaches half of a constant voltage after R C log 2."""
    net = Network()
    net.add("source", "voltage_source", ["in"], voltage=10.0)
    net.add("R", "resistor", ["in", "out"], resistance=100.0)
    net.add("C", "capacitor", ["out", "ground"], capacitance=1e-5)
    result = net.compile().simulate(1.0, rtol=1e-6, events=["out.voltage - 5"], path=tmp_path / "run.h5")
    assert result.status.reason == "stopped by event"
    assert result.t[-1] == pytest.approx(1e-3 * np.log(2.0), rel=1e-4)
    assert result["out.voltage"][-1] == pytest.approx(5.0, abs=1e-9)


def test_the_reference_lists_all_kinds_and_keys():
    text = (Path(__file__).parents[2] / "docs" / "reference" / "network-file.md").read_text(encoding="utf-8")
    assert text.endswith(reference()), "write it again: floatframe.network.files.reference"


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("numbers", 0, np.nan),  # time
        ("numbers", 2, 1e-300),  # next step
        ("numbers", 4, -1e15),  # number of the next record: all those before would be written
        ("numbers", 4, np.inf),
        ("counters", 0, np.inf),
        ("counters", 1, -1.0),
        ("y", 0, np.inf),
        ("alpha", 0, np.nan),
    ],
)
def test_a_checkpoint_out_of_range_is_refused(tmp_path, name, place, value):
    file, run = read_network(written(tmp_path, FILTER)), tmp_path / "run.h5"
    system, record = file.compile(), file.record()
    system.simulate(settings=file.settings(t_end=2e-3), record=record, path=run)
    writer = ResultWriter.resume(run)
    content = {key: np.array(values) for key, values in writer.resumed_from.content.items()}
    content[name].flat[place] = value
    writer.checkpoint(content)
    writer.finish("interrupted")
    with pytest.raises(ModelError, match="checkpoint is damaged"):
        system.simulate(settings=file.settings(), record=record, path=run, resume=True)


def test_steps_that_time_does_not_resolve_are_refused(tmp_path):
    file = read_network(written(tmp_path, FILTER))
    for name in ("step", "step_max"):
        with pytest.raises(ModelError, match=f"{name} is 1e-30 s, but times about 0.005 s are only known to"):
            file.settings(**{name: 1e-30, **({"rtol": 1e-3} if name == "step_max" else {})})


def test_a_product_of_a_thousand_factors_is_a_source_like_another(tmp_path):
    factors = "*".join(["(1+0.001*t)"] * 1000)
    file = read_network(written(tmp_path, FILTER.replace("10*sin(2*pi*50*t)", factors)))
    found = file.compile().simulate(settings=file.settings(), record=file.record())
    t = found.t[1:]
    np.testing.assert_allclose(found["in.voltage"][1:].ravel(), (1 + 1e-3 * t) ** 1000, rtol=1e-9)  # 1000 roundings


def test_a_device_in_place_of_a_network_is_refused():
    with pytest.raises(FloatframeError, match="a device or a pipe"):
        read_network("/dev/zero")


LADDER = """\
format = "floatframe-network/1"

[[element]]
name = "source"
kind = "voltage_source"
nodes = ["in"]
voltage = 5

[[element]]
name = "R1"
kind = "resistor"
nodes = ["in", "mid"]
resistance = 2

[[element]]
name = "L1"
kind = "inductor"
nodes = ["mid", "out"]
inductance = 1e-3

[[element]]
name = "C1"
kind = "capacitor"
nodes = ["out", "ground"]
capacitance = 1e-5
"""


LONE = '[[element]]\nname = "v"\nkind = "volume"\nnodes = ["x"]\nvolume = 1e-3\n'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", []),
        (
            '["in", "mid"]',
            '["in", "mdi"]',
            [
                ":12: resistor 'R1': only its terminal b joins node 'mdi', {idle}; did you mean mid?",
                ":18: inductor 'L1': only its terminal a joins node 'mid', {idle}; did you mean mdi?",
            ],
        ),
        (
            '["mid", "out"]',
            '["mid", "mid"]',
            [
                ":18: inductor 'L1': all its terminals are on node 'mid', so that it does nothing; name another node",
                ":24: capacitor 'C1': only its terminal a joins node 'out', {idle}; join another element to it",
            ],
        ),
        # a voltage that an input reads is a sensor's
        (
            '["in", "mid"]\nresistance = 2',
            '["in", "mdi"]\nresistance = 2\n[[element]]\nname = "s"\nkind = "signal"\nvalue = "mdi.v + mid.v"',
            [],
        ),
        # what stores stands still where nothing joins it, unless it has a start
        (
            "[[element]]",
            LONE + "[[element]]",
            [":6: volume 'v': it alone joins node 'x', {idle}; join another element to it"],
        ),
        ("[[element]]", LONE + '[[node]]\nname = "x"\npressure = 1e5\n[[element]]', []),
    ],
)
def test_connections_that_are_likely_mistyped_are_reported(tmp_path, old, new, said):
    path = written(tmp_path, LADDER.replace(old, new, 1) if old else LADDER)
    assert doubtful_connections(read_network(path)) == [
        f"{path}{one.format(idle='so that nothing flows there')}" for one in said
    ]


def test_commands_report_likely_mistakes(capsys, tmp_path):
    path = written(tmp_path, LADDER.replace('["in", "mid"]', '["in", "mdi"]'))
    assert len(printed(capsys, "info", path)["problems"]) == 2
    assert run_command(["simulate", str(path), "-o", str(tmp_path / "run.h5"), "--t-end", "1e-4"]) == 0
    assert "only its terminal b joins node 'mdi'" in capsys.readouterr().err


def test_nodes_begin_by_the_names_of_their_physics():
    net = Network("oil")
    net.add("tank", "volume", ["p"], volume=1e-3)
    net.start("p", pressure=1e5)
    assert (net.starts["p"].x, net.starts["p"].v) == (0.0, 1e5)
    for key, said in (
        ("voltage", "the node is hydraulic and has no voltage, expected pressure"),
        ("presure", "pressure?"),
    ):
        with pytest.raises(ModelError, match=re.escape(said)):
            net.start("p", **{key: 1.0})
