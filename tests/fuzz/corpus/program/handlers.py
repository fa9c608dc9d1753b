import os
from google.api_core import exceptions
from google.generativeai import GenerativeModel, configure
from google.generativeai.types import HarmCategory, HarmBlockThreshold

if os.environ.get("KEY"):
    configure(api_key=os.environ["KEY"])
SAFE = {HarmCategory.HARM_CATEGORY_HARASSMENT: HarmBlockThreshold.BLOCK_NONE}
models = {name: GenerativeModel(name, safety_settings=SAFE) for name in ("a", "b")}
for model in models.values():
    try:
        print(f"{model.generate_content(['q', 'r']).text!r}")
    except (exceptions.ResourceExhausted, ValueError) as error:
        print(error)
    finally:
        pass
