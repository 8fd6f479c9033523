import { auth } from '@tocsin/contract/access/auth'
import { useQuery } from '@tanstack/react-query'
import { Button, Descriptions, Flex, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { buildRoutes, localTitle } from '#shell/menu-routes.ts'
import { sizeTexts } from '#shell/theme/choose-preference.ts'
import { setPreferences, usePreferences } from '#shell/theme/preferences.ts'
import { useLang } from '#texts/i18n.ts'
import { lazyComponent } from '#ui/lazy/lazy-component.tsx'

const SettingsDrawer = lazyComponent(async () => (await import('#shell/settings/SettingsDrawer.tsx')).SettingsDrawer, {
  close: ({ onClose }) => onClose(),
})

/** The page after signing in: by role, or one of the user's own menu entries. */
const FirstPageSelect = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const chosen = usePreferences((all) => all.firstPage)
  const { data } = useQuery({ ...queryFor(auth.permissionInfo), staleTime: Number.POSITIVE_INFINITY })
  const pages = buildRoutes(data?.menus ?? [], () => true).routes.flatMap((route) =>
    route.kind === 'screen' ? [{ value: route.screen, label: localTitle(route.title, lang) }] : [],
  )
  return (
    <Select
      aria-label={t('profile.firstPage')}
      value={pages.some(({ value }) => value === chosen) ? chosen : ''}
      options={[{ value: '', label: t('profile.firstByRole') }, ...pages]}
      onChange={(firstPage) => setPreferences({ firstPage })}
      style={{ minWidth: 220 }}
    />
  )
}

const layoutTexts = { left: 'shell.layoutLeft', top: 'shell.layoutTop', mix: 'shell.layoutMix' } as const

/** The appearance preferences of the user, with a link to change them. */
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
          { key: 'first', label: t('profile.firstPage'), children: <FirstPageSelect /> },
        ]}
      />
      <Button onClick={() => setOpen(true)}>{t('profile.changeLikings')}</Button>
      {open && <SettingsDrawer onClose={() => setOpen(false)} />}
    </Flex>
  )
}
