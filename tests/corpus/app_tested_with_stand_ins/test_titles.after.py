"""The tests of titles.py, which may also be run as a script."""
import io
import unittest
from unittest.mock import MagicMock, patch

import titles


class TitleTest(unittest.TestCase):
    @patch("titles.client")
    def test_a_short_title_stays(self, model_class):
        model_class.models.generate_content.return_value.text = " Harvest \n"
        self.assertEqual(titles.make_title("apples"), "Harvest")

    @patch("titles.client")
    def test_a_long_title_is_cut(self, model_class):
        model = MagicMock()
        model.models.generate_content.return_value = MagicMock(text="x" * 80)
        model_class.models = model.models
        self.assertEqual(len(titles.make_title("apples")), 60)


if __name__ == "__main__":
    loaded = unittest.defaultTestLoader.loadTestsFromTestCase(TitleTest)
    result = unittest.TextTestRunner(stream=io.StringIO()).run(loaded)
    print(result.testsRun, len(result.failures), len(result.errors))
    print(titles.make_title("a bridge in fog"))
