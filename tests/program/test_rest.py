"""The value flow comes to rest, however many foreign things one name may hold."""

from __future__ import annotations

from tests.support.port import clean, ported


def test_a_set_too_large_to_tell_apart_stays_too_large() -> None:
    kept = "\n".join(
        f"    def put_{i}(self):\n        self.it = lib.make_{i}(self.it)" for i in range(40)
    )
    before = f"import lib\n\n\nclass Box:\n{kept}\n\n\n" + clean(
        """
        model = genai.GenerativeModel("m")
        print(model.generate_content("x").text)
        """
    )
    assert 'client.models.generate_content(model="m", contents="x")' in ported(before)
