/** What tests/browser/test_packs.py calls in the page of packs_page.py, beside the page's own code for packs. */
"use strict";
const commands = packs.commands(() => manifest);
const fileOf = (text, name) => new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], name);

/** Every outcome as {ok} or {kind, message}, with what `heard` was told. */
async function add(text, name, stopAt = -1) {
  const heard = [];
  const work = commands.add(fileOf(text, name), (done, total) => {
    heard.push([done, total]);
    if (heard.length === stopAt) work.cancel();
  });
  const ended = await work.promise.then(
    (ok) => ({ ok }),
    (error) => ({ kind: error.kind ?? error.name, message: error.message }),
  );
  return { ...ended, heard };
}

async function load(generator) {
  const found = await shards.loadGroup(manifest, `generator-${generator}`, () => {}, undefined, packs.source(generator));
  return Object.fromEntries([...found].map(([name, bytes]) => [name, btoa(String.fromCharCode(...bytes))]));
}

/** [records, slices] in the browser's store, counted without the code under test. */
const counts = () => new Promise((resolve, reject) => {
  const opening = indexedDB.open("terrarium-packs");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const asked = ["packs", "slices"].map((name) => opening.result.transaction(name).objectStore(name).count());
    asked[1].onsuccess = () => (opening.result.close(), resolve(asked.map((one) => one.result)));
  };
});

/** As `counts`, once no slice is left, or after a while. */
async function swept() {
  let found = await counts();
  for (let looks = 0; found[1] > 0 && looks < 200; looks++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    found = await counts();
  }
  return found;
}

packs.join(manifest).then(() => (document.documentElement.dataset.stage = "joined"));
