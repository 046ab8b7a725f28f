"""Answers cards where the policy lets the API decide: `python approvals.py approve|deny COUNT`."""

import sys

from uiahost import Client

decision, count = sys.argv[1], int(sys.argv[2])
with Client.connect() as host:
    for card in host.approvals():
        if card["status"] != "pending":
            continue
        host.decide_approval(card["approvalId"], {"decision": "approve" if decision == "approve" else "deny"})
        print(decision, card["summary"], flush=True)
        count -= 1
        if count == 0:
            break
