"""The README's first session, against the demo of a running host: `python first_session.py`."""

from uiahost import Client

with Client.connect(session="python") as host:
    act = host.actions
    act.bind_to_window(title="uiahost demo")
    act.type_into_element(name="Customer", text="Ada Lovelace")
    act.type_into_element(name="Notes", text="The quick brown fox – 狐 and 🦊.")
    act.select_element(name="Product", item="Coffee")
    act.click_element(name="Express delivery")
    act.click_element(name="Check stock")
    act.wait_for(name="Stock: 12 pieces")
    act.select_element(name="Orders", item="2026-0003")
    print(act.read_table(name="Orders").value["rows"])
    print(act.snapshot(form="brief").value["accessibilityText"])
