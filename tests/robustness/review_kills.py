"""The review server, killed while a reviewer decides: what was accepted is in the log, whenever it dies."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx

from regreact.app.review.log import DecisionLog
from tests.robustness.kills import Tally
from tests.robustness.runs import ROOT, Nursery


def review_series(nursery: Nursery, kills: int, seed: int) -> Tally:
    """Decide items until the server is killed, start it again, and go on.

    Args:
        nursery: Makes the extractions.
        kills: How many.
        seed: Of the moments.
    """
    chance = random.Random(seed)
    tally = Tally("review")
    with tempfile.TemporaryDirectory(prefix="kills-") as place:
        folder = Path(place)
        assert nursery.run("regreact.cli", ("extract", "samples", "-o", "out", "-q"), folder).code == 0
        accepted: list[str] = []
        for _ in range(kills):
            answered = _until_killed(folder, chance.uniform(0.0, 0.5))
            tally.tried += 1
            accepted += answered
            log = DecisionLog(folder / "out")
            kept = [d.item for d in log.read()]
            lost = [i for i in accepted if i not in kept]
            problems = [f"review: {len(lost)} accepted decisions are lost"] * bool(lost)
            # One decision may be kept whose answer the reviewer did not get any more.
            problems += ["review: decisions that nobody made"] * (len(kept) > len(accepted) + tally.tried)
            problems += [f"review: {log.damaged} damaged lines"] * bool(log.damaged)
            tally.survived += not problems
            tally.problems += problems
        if not accepted:
            tally.problems.append("review: nothing was decided")
    return tally


def _until_killed(folder: Path, seconds: float) -> list[str]:
    """Serve, decide items as fast as it goes, and kill the server; returns the items whose decision it accepted."""
    line = [sys.executable, "-m", "regreact", "review", "out", "--below", "1", "--port", "0", "--reviewer", "Ada"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(
        line, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert server.stdout is not None
    address = re.search(r"http://\S+", server.stdout.readline())
    assert address
    accepted: list[str] = []
    ready = threading.Event()

    def decide() -> None:
        try:
            with httpx.Client(base_url=address[0], timeout=60) as browser:
                page = browser.get("/").text
                csrf = re.search(r'name="csrf" value="([0-9a-f]+)"', page)
                assert csrf
                for item in dict.fromkeys(re.findall(r"/item/([0-9a-f]{16})", page)):
                    ready.set()
                    reply = browser.post(f"/item/{item}", data={"csrf": csrf[1], "action": "accept"})
                    assert reply.status_code == 303, reply.text
                    accepted.append(item)
        except httpx.TransportError:
            pass

    reviewer = threading.Thread(target=decide)
    reviewer.start()
    ready.wait(60)
    time.sleep(seconds)
    server.kill()
    server.wait()
    reviewer.join()
    server.stdout.close()
    return accepted
