from planner.llm import model, client
from google.genai import types


def plan_day(town, day):
    response = client.models.generate_content(
        model=model,
        contents=f"Plan day {day} of a trip to {town}.",
        config=types.GenerateContentConfig(temperature=0.8),
    )
    return response.text


def plan_trip(town, days):
    return {f"day {day}": plan_day(town, day) for day in range(1, days + 1)}
