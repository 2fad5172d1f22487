"""Makes a Chromium whose software adapter computes in float16: `python -m tests.browser.float16_chromium OUT`.

The only software adapter that Chromium takes is SwiftShader, which has no float16. Mesa's lavapipe has it (Debian's
package mesa-vulkan-drivers: 25.0 serves, 22.3 lacks array indexing that Chromium 156 insists on). So a copy of Chromium
gets a library in SwiftShader's place that passes every call on to lavapipe, and gives SwiftShader's numbers where it is
asked who it is. Chromium's own pictures are still drawn by SwiftShader. Needs a C compiler. For tests only: set
TERRARIUM_CHROMIUM to the program whose path this prints.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
from pathlib import Path

LAVAPIPE = Path("/usr/lib/x86_64-linux-gnu/libvulkan_lvp.so")
CHROMIUM = Path("/usr/lib/chromium")
SWIFTSHADER, DRIVER_RECORD = "libvk_swiftshader.so", "vk_swiftshader_icd.json"
# The first numbers of VkPhysicalDeviceProperties are versions of the interface and the driver, vendor, device;
# VkPhysicalDeviceProperties2 holds the same 16 bytes further on.
SHIM = """
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
typedef void (*Function)(void);
typedef Function (*Look)(void *, const char *);
typedef void (*Describe)(void *, uint32_t *);
static Look look;
static Describe describe, describe2;
static void rename_device(uint32_t *properties) { properties[2] = 0x1AE0; properties[3] = 0xC0DE; }
static void own_describe(void *device, uint32_t *properties) {
  describe(device, properties);
  rename_device(properties);
}
static void own_describe2(void *device, uint32_t *properties) {
  describe2(device, properties);
  rename_device(properties + 4);
}
Function vkGetInstanceProcAddr(void *instance, const char *name) {
  if (!look) {
    void *driver = dlopen(DRIVER, RTLD_NOW | RTLD_LOCAL);
    if (!driver) return 0;
    uint32_t version = 5;
    ((int (*)(uint32_t *))dlsym(driver, "vk_icdNegotiateLoaderICDInterfaceVersion"))(&version);
    look = (Look)dlsym(driver, "vk_icdGetInstanceProcAddr");
  }
  Function found = look(instance, name);
  if (found && !strcmp(name, "vkGetPhysicalDeviceProperties")) {
    describe = (Describe)found;
    return (Function)own_describe;
  }
  if (found && !strncmp(name, "vkGetPhysicalDeviceProperties2", 30)) {
    describe2 = (Describe)found;
    return (Function)own_describe2;
  }
  return found;
}
"""


def make(chromium: Path, lavapipe: Path, out: Path) -> Path:
    """A copy of the folder `chromium`, of links where it can be; returns its program."""
    shutil.copytree(chromium, out, copy_function=_linked, symlinks=True)
    for name in (SWIFTSHADER, DRIVER_RECORD):
        (out / name).unlink()
    command = ["cc", "-shared", "-fPIC", "-O1", f'-DDRIVER="{lavapipe}"', "-x", "c", "-", "-o", str(out / SWIFTSHADER)]
    subprocess.run(command, input=SHIM, text=True, check=True)
    record = json.loads((chromium / DRIVER_RECORD).read_text("utf-8"))
    record["ICD"]["library_path"] = str(chromium / SWIFTSHADER)
    (out / DRIVER_RECORD).write_text(json.dumps(record), "utf-8")
    return out / "chromium"


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Makes a Chromium whose software adapter computes in float16.")
    parser.add_argument("out", type=Path, help="a folder that does not exist yet")
    parser.add_argument("--chromium", type=Path, default=CHROMIUM, help=f"its folder (default: {CHROMIUM})")
    parser.add_argument("--lavapipe", type=Path, default=LAVAPIPE, help=f"Mesa's driver (default: {LAVAPIPE})")
    given = parser.parse_args()
    print(make(given.chromium, given.lavapipe, given.out.absolute()))
