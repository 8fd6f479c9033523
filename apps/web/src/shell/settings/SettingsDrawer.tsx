import { Button, Divider, Flex, Input, Segmented, Switch, theme } from 'antd'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseSize, sizeTexts } from '../theme/choose-preference.ts'
import { layouts, sizes, themes } from '@tocsin/contract/access/preference'
import { i18n } from '#texts/i18n.ts'
import { AppDrawer } from '#ui/overlay/AppDrawer.tsx'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'
import { useWide } from '#ui/responsive/media.ts'
import { setPreferences, resetPreferences, usePreferences, type LayoutName } from '../theme/preferences.ts'
import './settings.css'

/** The positions of the menu bars, as `x y width height` in a picture of 64 by 44. */
const bars: Record<LayoutName, readonly string[]> = {
  left: ['0 0 18 44'],
  top: ['0 0 64 12'],
  mix: ['0 0 64 12', '0 14 18 30'],
}

type Props = { layout: LayoutName; label: string; chosen: boolean; onChoose: () => void }

/** One layout as a small picture to choose; works as a native radio button. */
const LayoutPicture = ({ layout, label, chosen, onChoose }: Props) => {
  const { token } = theme.useToken()
  return (
    <label className="layout-picture">
      <input type="radio" name="layout" checked={chosen} onChange={onChoose} />
      <svg
        viewBox="0 0 64 44"
        width={72}
        height={50}
        aria-hidden="true"
        style={{ background: token.colorFillSecondary }}
      >
        {bars[layout].map((bar) => {
          const [x, y, width, height] = bar.split(' ')
          return <rect key={bar} x={x} y={y} width={width} height={height} fill={token.colorPrimary} />
        })}
      </svg>
      {label}
    </label>
  )
}

/** The plain colors of the presets of wire 3.4, and two that are readable in both themes. */
const PRESETS = ['#4080ff', '#ff4500', '#ff8c00', '#90ee90', '#00ced1', '#1e90ff', '#c71585', '#2f7d5b', '#6b4fd8']
/** Longer words would overlap on the page. */
const MARK_LENGTH = 40

const Line = ({ label, children }: { label: string; children: (id: string) => ReactNode }) => {
  const id = useId()
  return (
    <Flex justify="space-between" align="center" gap="middle" style={{ minHeight: 40 }}>
      <span id={id}>{label}</span>
      {children(id)}
    </Flex>
  )
}

type Flag = 'tagsView' | 'fixedHeader' | 'sidebarLogo' | 'watermarkEnabled' | 'showSettings'

const FlagLine = ({ name, label }: { name: Flag; label: string }) => {
  const on = usePreferences((all) => all[name])
  return (
    <Line label={label}>
      {(id) => <Switch aria-labelledby={id} checked={on} onChange={(checked) => setPreferences({ [name]: checked })} />}
    </Line>
  )
}

/** Native controls: usable by mouse, finger and keyboard. */
const ThemeColor = () => {
  const { t } = useTranslation()
  const chosen = usePreferences((all) => all.themeColor).toLowerCase()
  return (
    <>
      <Line label={t('shell.themeColor')}>
        {(id) => (
          <input
            type="color"
            className="theme-color"
            aria-labelledby={id}
            value={chosen}
            onChange={({ target }) => setPreferences({ themeColor: target.value })}
          />
        )}
      </Line>
      <div role="radiogroup" aria-label={t('shell.presets')} className="swatches">
        {PRESETS.map((color) => (
          <input
            key={color}
            type="radio"
            name="themeColor"
            className="swatch"
            style={{ background: color }}
            aria-label={color}
            title={color}
            checked={color === chosen}
            onChange={() => setPreferences({ themeColor: color })}
          />
        ))}
      </div>
    </>
  )
}

const ThemeLines = () => {
  const { t } = useTranslation()
  const theme = usePreferences((all) => all.theme)
  return (
    <>
      <Line label={t('shell.theme')}>
        {(id) => (
          <Segmented
            aria-labelledby={id}
            value={theme}
            options={themes.map((value) => ({ value, label: t(`shell.${value}`) }))}
            onChange={(value) => setPreferences({ theme: value })}
          />
        )}
      </Line>
      <ThemeColor />
    </>
  )
}

const InterfaceLines = () => {
  const { t } = useTranslation()
  const { size, watermarkEnabled, watermarkContent } = usePreferences()
  return (
    <>
      <Line label={t('shell.size')}>
        {(id) => (
          <Segmented
            aria-labelledby={id}
            value={size}
            options={sizes.map((value) => ({ value, label: t(sizeTexts[value]) }))}
            onChange={chooseSize}
          />
        )}
      </Line>
      <FlagLine name="tagsView" label={t('shell.tagsView')} />
      <FlagLine name="fixedHeader" label={t('shell.fixedHeader')} />
      <FlagLine name="sidebarLogo" label={t('shell.sidebarLogo')} />
      <FlagLine name="watermarkEnabled" label={t('shell.watermark')} />
      {watermarkEnabled && (
        <Input
          aria-label={t('shell.watermarkContent')}
          placeholder={t('shell.watermarkContent')}
          maxLength={MARK_LENGTH}
          value={watermarkContent}
          onChange={(event) => setPreferences({ watermarkContent: event.target.value })}
        />
      )}
    </>
  )
}

const layoutTexts = { left: 'shell.layoutLeft', top: 'shell.layoutTop', mix: 'shell.layoutMix' } as const

const LayoutChoice = () => {
  const { t } = useTranslation()
  const chosen = usePreferences((all) => all.layout)
  return (
    <div role="radiogroup" aria-label={t('shell.layout')} className="layout-pictures">
      {layouts.map((layout) => (
        <LayoutPicture
          key={layout}
          layout={layout}
          label={t(layoutTexts[layout])}
          chosen={layout === chosen}
          onChoose={() => setPreferences({ layout })}
        />
      ))}
    </div>
  )
}

const restore = async () => {
  if (!(await confirm({ title: i18n.t('shell.settingsResetAsk'), text: i18n.t('shell.settingsResetText') }))) return
  resetPreferences()
  notify.success(i18n.t('shell.settingsResetDone'))
}

/**
 * The appearance of this user's console. Every change is stored at once (SPEC 3) and follows the user to other
 * computers.
 */
export const SettingsDrawer = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const wide = useWide()
  return (
    <AppDrawer onClose={onClose} placement="right" size={340} title={t('shell.settings')}>
      <Divider titlePlacement="start" style={{ marginBlockStart: 0 }}>
        {t('shell.settingsProject')}
      </Divider>
      <FlagLine name="showSettings" label={t('shell.showSettings')} />
      <Button block style={{ marginBlockStart: 8 }} onClick={() => void restore()}>
        {t('shell.settingsReset')}
      </Button>
      <Divider titlePlacement="start">{t('shell.settingsTheme')}</Divider>
      <ThemeLines />
      <Divider titlePlacement="start">{t('shell.settingsInterface')}</Divider>
      <InterfaceLines />
      <Divider titlePlacement="start">{t('shell.settingsNavigation')}</Divider>
      <LayoutChoice />
      {!wide && <p>{t('shell.layoutNarrow')}</p>}
    </AppDrawer>
  )
}
