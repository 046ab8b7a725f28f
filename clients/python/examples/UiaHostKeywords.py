"""
Keywords of Robot Framework on a running host.

    *** Settings ***
    Library    UiaHostKeywords.py

    *** Test Cases ***
    Order Coffee
        Bind Window    uiahost demo
        Type Into    Customer    Ada Lovelace
        Select Item    Product    Coffee
        Click Element    Check stock
        Wait For Element    Stock: 12 pieces
"""

from __future__ import annotations

from typing import Any

from uiahost import Client


class UiaHostKeywords:
    """A refusal fails the keyword with the host's own text."""

    ROBOT_LIBRARY_SCOPE = "SUITE"

    def __init__(self, session: str = "robot", url: str | None = None, token: str | None = None) -> None:
        self._given = (session, url, token)
        self._client: Client | None = None

    @property
    def _host(self) -> Client:
        # Robot Framework makes libraries before the suite's setup, which may start the host.
        if self._client is None:
            session, url, token = self._given
            known = url is not None and token is not None
            self._client = Client(str(url), str(token), session=session) if known else Client.connect(session=session)
        return self._client

    def bind_window(self, title: str) -> str:
        return self._host.actions.bind_to_window(title=title).value["hwnd"]

    def click_element(self, name: str, role: str | None = None) -> None:
        self._host.actions.click_element(name=name, role=role)

    def type_into(self, name: str, text: str, role: str | None = None) -> None:
        self._host.actions.type_into_element(name=name, role=role, text=text)

    def select_item(self, name: str, item: str) -> None:
        self._host.actions.select_element(name=name, item=item)

    def wait_for_element(self, name: str, seconds: float = 10) -> None:
        self._host.actions.wait_for(name=name, deadline_ms=int(float(seconds) * 1000))

    def press_keys(self, keys: str) -> None:
        self._host.actions.key(key_sequence=keys)

    def window_text(self) -> str:
        return self._host.actions.snapshot().value["accessibilityText"]

    def window_should_show(self, text: str) -> None:
        if text not in self.window_text():
            raise AssertionError(f"The window does not show {text!r}.")

    def read_table(self, name: str) -> list[Any]:
        return list(self._host.actions.read_table(name=name).value["rows"])
