"""What build.py runs: third-party bytes, models, the packed page, the checks. No part of what runs in the tab."""
