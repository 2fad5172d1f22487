"""The bill of materials: CycloneDX 1.6 as JSON. No time and no random serial number, so that builds can be compared."""

from __future__ import annotations

import json
from typing import Any

from terrarium_build.components import Component


def sbom(components: list[Component], version: str) -> str:
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "terrarium",
                "name": "terrarium",
                "version": version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": [_component(component) for component in components],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _component(component: Component) -> dict[str, Any]:
    is_package = component.purl.startswith("pkg:")
    entry: dict[str, Any] = {
        "type": "library" if is_package else "machine-learning-model",
        "bom-ref": f"{component.purl}#{component.name}",
        "name": component.name,
        "version": component.version,
        "licenses": [{"expression": component.licence}],
    }
    if is_package:
        entry["purl"] = component.purl
    else:
        entry["externalReferences"] = [{"type": "distribution", "url": component.purl}]
    if component.sha256:
        entry["hashes"] = [{"alg": "SHA-256", "content": component.sha256}]
    return entry
