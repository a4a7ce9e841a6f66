"""`make hostile`: attacks a release binary from outside and says what held.

run.py BINARY [--short] [--seed N] [--seconds N] [--only GROUP,GROUP]
"""

import argparse
import os
import random
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import attack_device
import attack_imports
import attack_large
import attack_load
import attack_pages
import attack_proxy
import attack_schemas
import attack_store
import attack_terminal
import attack_tls
import attack_upstream
import attack_walk
import attack_work
import attack_worlds
from session import Session

GROUPS = {
    "load": (attack_load, 0.3),
    "imports": (attack_imports, 0.25),
    "upstream": (attack_upstream, 0.2),
    "store": (attack_store, 0.1),
    "tls": (attack_tls, 0.1),
    "proxy": (attack_proxy, 0.1),
    "device": (attack_device, 0.05),
    "worlds": (attack_worlds, 0.1),
    "schemas": (attack_schemas, 0.1),
    "large": (attack_large, 0.2),
    "walk": (attack_walk, 0.15),
    "work": (attack_work, 0.2),
    "pages": (attack_pages, 0.05),
    "terminal": (attack_terminal, 0.1),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--short", action="store_true", help="two minutes with a fixed seed")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--only")
    options = parser.parse_args()
    unknown = [name for name in (options.only or "").split(",") if name and name not in GROUPS]
    if unknown:
        parser.error("there is no group %s; there are %s" % (", ".join(unknown), ", ".join(GROUPS)))
    seed = options.seed
    if seed is None:
        seed = 42 if options.short else random.SystemRandom().randrange(1 << 32)
    seconds = options.seconds or (120 if options.short else 1200)
    session = Session(options.binary, seed, not options.short, seconds, options.only)
    print("seed %d; again with: --seed %d%s" % (seed, seed, " --short" if options.short else ""), flush=True)
    session.measure_noise()
    chosen = options.only.split(",") if options.only else list(GROUPS)
    turn = 0
    began = time.monotonic()
    while True:
        for name in chosen:
            module, share = GROUPS[name]
            deadline = time.monotonic() + seconds * share
            module.run(session, random.Random("%d/%s/%d" % (seed, name, turn)), deadline, time.monotonic)
        turn += 1
        # The long form goes round with other draws until its time is over.
        if options.short or time.monotonic() - began > seconds * 0.8:
            break
    session.finish()


main()
