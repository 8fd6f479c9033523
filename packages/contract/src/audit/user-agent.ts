type Guess = readonly [pattern: RegExp, name: string]

// The more special first: Edge and WeCom say that they are Chrome, Chrome says that it is Safari.
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

/** What a user agent says of browser and system, each undefined when it says nothing known. */
export const parseUserAgent = (agent: string) => ({ browser: guess(browsers, agent), system: guess(systems, agent) })

/** The same in one line, `Chrome 141 · Windows 10/11`; the text itself when it says nothing known. */
export const browserOf = (agent: string): string =>
  Object.values(parseUserAgent(agent)).filter(Boolean).join(' · ') || agent
