type Guess = readonly [pattern: RegExp, name: string]

// The more specific first: Edge and WeCom claim to be Chrome, Chrome claims to be Safari.
const browsers: readonly Guess[] = [
  [/wxwork\/(\d+)/i, 'WeCom'],
  [/MicroMessenger\/(\d+)/i, 'WeChat'],
  [/DingTalk\/(\d+)/i, 'DingTalk'],
  [/Edg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/Firefox\/(\d+)/, 'Firefox'],
  [/(?:Chrome|Chromium|CriOS)\/(\d+)/, 'Chrome'],
  [/Version\/(\d+)[^ ]* .*Safari\//, 'Safari'],
]
const systems: readonly Guess[] = [
  [/HarmonyOS|OpenHarmony/, 'HarmonyOS'],
  [/Android (\d+)/, 'Android'],
  [/(?:iPhone|iPad).*? OS (\d+)/, 'iOS'],
  [/Windows NT 10/, 'Windows 10/11'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

const guess = (guesses: readonly Guess[], agent: string): string | undefined => {
  for (const [pattern, name] of guesses) {
    const found = pattern.exec(agent)
    if (found) return found[1] ? `${name} ${found[1]}` : name
  }
  return undefined
}

/** Browser and system of a user agent, each undefined when unknown. */
export const parseUserAgent = (agent: string) => ({ browser: guess(browsers, agent), system: guess(systems, agent) })

/** The same in one line, `Chrome 141 · Windows 10/11`; the text itself when nothing is known. */
export const browserOf = (agent: string): string =>
  Object.values(parseUserAgent(agent)).filter(Boolean).join(' · ') || agent
