from planner.trips import plan_trip

if __name__ == "__main__":
    for day, text in plan_trip("Delft", days=2).items():
        print(day, text)
