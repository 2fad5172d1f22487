"use strict";
/**
 * Closes the doors of a worker that hosts Python: what it may reach from then on is its asset table.
 * @param {LedgerEntry["where"]} where
 */
function closeDoors(where) {
  /** @param {string} api @param {string} target @param {LedgerEntry["by"]} by */
  const refused = (api, target, by) => self.postMessage({ refused: { time: Date.now(), where, api, target, by } });
  /** @param {string} api @param {string} target */
  const report = (api, target) => refused(api, target, "code");
  self.addEventListener("securitypolicyviolation", (event) => refused(event.effectiveDirective, event.blockedURI, "browser"));
  Object.defineProperty(self, "fetch", { value: bridgeAssets.closedFetch(report), writable: false, configurable: false });
  removeNetwork(report, ["fetch"]);
}
