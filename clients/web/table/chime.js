/** A soft sound when a question is open: off unless it is wanted, and silent where it may not be. */
const TONES = [
  { hertz: 659, atS: 0 },
  { hertz: 880, atS: 0.18 },
];
const TONE_S = 0.5;
const LOUDNESS = 0.2;
const LATE_MS = 1_000;

/**
 * Ring once. → whether it rang: a browser may forbid sound to a page that nobody has touched, and
 * then nothing is kept for later.
 */
export async function ring(Context = globalThis.AudioContext) {
  let context;
  try {
    context = new Context();
    await Promise.race([context.resume(), new Promise((late) => setTimeout(late, LATE_MS))]);
    if (context.state !== "running") throw new Error("no sound here");
    await played(context);
    return true;
  } catch {
    return false;
  } finally {
    context?.close().catch(() => {});
  }
}

function played(context) {
  const loudness = context.createGain();
  loudness.gain.value = LOUDNESS;
  loudness.connect(context.destination);
  const ends = TONES.map(({ hertz, atS }) => {
    const tone = context.createOscillator();
    const fade = context.createGain();
    const startS = context.currentTime + atS;
    tone.frequency.value = hertz;
    fade.gain.setValueAtTime(1, startS);
    fade.gain.exponentialRampToValueAtTime(0.001, startS + TONE_S);
    tone.connect(fade).connect(loudness);
    tone.start(startS);
    tone.stop(startS + TONE_S);
    return new Promise((ended) => (tone.onended = ended));
  });
  return Promise.all(ends);
}

/**
 * Whom a question is open to that was not asked before. `learn(view, isNews)` → whether to ring:
 * what is found after a reconnect is no news.
 */
export class Questions {
  #seats = [];

  learn(view, isNews) {
    const before = this.#seats;
    this.#seats = (view?.plan?.questions ?? []).map(({ seat }) => seat);
    return isNews && this.#seats.some((seat) => !before.includes(seat));
  }
}
