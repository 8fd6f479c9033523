import { Button, Descriptions, Flex } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sizeTexts } from '#shell/theme/choose-preference.ts'
import { usePreferences } from '#shell/theme/preferences.ts'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'

const SettingsDrawer = lazyComponent(async () => (await import('#shell/settings/SettingsDrawer.tsx')).SettingsDrawer, {
  close: ({ onClose }) => onClose(),
})

const layoutTexts = { left: 'shell.layoutLeft', top: 'shell.layoutTop', mix: 'shell.layoutMix' } as const

/** How this person likes the console, and the way to change it. */
export const LayoutPreferences = () => {
  const { t } = useTranslation()
  const { language, theme, themeColor, size, layout } = usePreferences()
  const [open, setOpen] = useState(false)
  return (
    <Flex vertical align="start" gap="middle">
      <Descriptions
        bordered
        size="small"
        column={1}
        style={{ width: '100%' }}
        items={[
          { key: 'language', label: t('shell.language'), children: language === 'en' ? 'English' : '中文' },
          { key: 'theme', label: t('shell.theme'), children: t(`shell.${theme}`) },
          {
            key: 'color',
            label: t('shell.themeColor'),
            children: (
              <Flex gap={8} align="center">
                <span className="color-chip" style={{ background: themeColor }} />
                {themeColor}
              </Flex>
            ),
          },
          { key: 'size', label: t('shell.size'), children: t(sizeTexts[size]) },
          { key: 'layout', label: t('shell.layout'), children: t(layoutTexts[layout]) },
        ]}
      />
      <Button onClick={() => setOpen(true)}>{t('profile.changeLikings')}</Button>
      {open && <SettingsDrawer onClose={() => setOpen(false)} />}
    </Flex>
  )
}
