from planner.llm import model


def plan_day(town, day):
    response = model.generate_content(f"Plan day {day} of a trip to {town}.")
    return response.text


def plan_trip(town, days):
    return {f"day {day}": plan_day(town, day) for day in range(1, days + 1)}
