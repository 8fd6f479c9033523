import { App, ConfigProvider } from 'antd'
import enUS from 'antd/es/locale/en_US'
import zhCN from 'antd/es/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { type ReactNode, useEffect, useLayoutEffect, useMemo } from 'react'
import { setMessageUi } from '#api/messages.ts'
import { i18n, setLanguage, useLang } from '#texts/i18n.ts'
import { trackFocus } from '#ui/overlay/focus.ts'
import { confirm } from '#ui/confirm.ts'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'
import { notify, setMessageApi } from '#ui/notify.ts'
import { antdTheme, selectionTint } from './antd-theme.ts'
import { followOtherTabs, useIsDark, usePreferences, usePrefersReducedMotion } from './preferences.ts'
import { readableTextColor, shadesOf } from './colors.ts'

const PageWatermark = lazyComponent(async () => (await import('./PageWatermark.tsx')).PageWatermark)

/** The sizes of SPEC 4 by antd's names. */
const kitSizes = { default: 'middle', large: 'large', small: 'small' } as const
/** Provides antd's toasts, notifications and dialogs, which live in this tree, to the code that shows messages. */
const MessageApiProvider = ({ children }: { children: ReactNode }) => {
  const { message, notification, modal } = App.useApp()
  useEffect(() => {
    setMessageApi({ message, notification, modal })
    setMessageUi({
      lang: () => usePreferences.getState().language,
      ask: ({ title, text, yes, no }) => confirm({ title, text, yes, no }),
      show: ({ place, text, traceId }) => {
        if (place === 'toast') notify.error(text)
        else if (place === 'info') notify.info(text)
        else notify.notification(text, traceId && i18n.t('shell.traceId', { id: traceId }))
      },
    })
  }, [message, notification, modal])
  return children
}

/** Attributes of the html element, for style sheets and assistive technology. */
const useRoot = () => {
  const language = usePreferences((all) => all.language)
  const themeColor = usePreferences((all) => all.themeColor)
  const spoken = useLang()
  const dark = useIsDark()
  useLayoutEffect(() => {
    // A language that failed to load stays unchanged.
    void setLanguage(language).catch(() => undefined)
  }, [language])
  useLayoutEffect(() => {
    dayjs.locale(spoken)
    document.documentElement.lang = spoken === 'en' ? 'en' : 'zh-CN'
  }, [spoken])
  useLayoutEffect(() => {
    document.documentElement.classList.toggle('dark', dark)
  }, [dark])
  useLayoutEffect(() => {
    const focus = readableTextColor(themeColor, selectionTint(themeColor, dark))
    for (const [name, value] of Object.entries({ ...shadesOf(themeColor), '--color-focus': focus }))
      document.documentElement.style.setProperty(name, value)
  }, [themeColor, dark])
}

/** Calendars name year and month by their visible text, not by the action (WCAG 2.2 2.5.3). */
const named = (texts: typeof zhCN): typeof zhCN => {
  const { DatePicker } = texts
  if (!DatePicker) return texts
  const lang = { ...DatePicker.lang, yearSelect: '', monthSelect: '', decadeSelect: '' }
  return { ...texts, DatePicker: { ...DatePicker, lang } }
}
const kitTexts = { 'zh-cn': named(zhCN), en: named(enUS) }

/** Theme, size and language of everything below, changed at once and without a reload. */
export const AppThemeProvider = ({ children }: { children: ReactNode }) => {
  const size = usePreferences((all) => all.size)
  const themeColor = usePreferences((all) => all.themeColor)
  const watermarkEnabled = usePreferences((all) => all.watermarkEnabled)
  const lang = useLang()
  const dark = useIsDark()
  const still = usePrefersReducedMotion()
  const theme = useMemo(() => antdTheme(themeColor, dark, still), [themeColor, dark, still])
  useRoot()
  useEffect(followOtherTabs, [])
  useEffect(trackFocus, [])
  return (
    <ConfigProvider locale={kitTexts[lang]} componentSize={kitSizes[size]} theme={theme}>
      {/* SPEC 9: toasts 3 s at 16 px, notifications 4.5 s at the top right with 16 px between them, however many. */}
      <App
        message={{ duration: 3, top: 16, maxCount: 5 }}
        notification={{ duration: 4.5, placement: 'topRight', top: 16, maxCount: 5, stack: false }}
      >
        <MessageApiProvider>{children}</MessageApiProvider>
        {watermarkEnabled && <PageWatermark />}
      </App>
    </ConfigProvider>
  )
}
