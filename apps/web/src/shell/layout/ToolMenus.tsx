import { BulbOutlined, FontSizeOutlined, GlobalOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseLanguage, chooseSize, sizeTexts } from '../theme/choose-preference.ts'
import { languages, sizes, themes } from '@tocsin/contract/access/preference'
import { DropMenu } from '#ui/overlay/DropMenu.tsx'
import { setPreferences, usePreferences } from '../theme/preferences.ts'

/** Each language by its own name, readable for its speakers. */
const langNames = { 'zh-cn': '中文', en: 'English' } as const

type Choice<T extends string> = {
  title: string
  icon: ReactNode
  choices: readonly T[]
  chosen: T
  label: (choice: T) => string
  onChoose: (choice: T) => void
}

const ChoiceMenu = <T extends string>({ title, icon, choices, chosen, label, onChoose }: Choice<T>) => {
  const items = choices.map((key) => ({ key, label: label(key), onClick: () => onChoose(key) }))
  return (
    <DropMenu menu={{ items, selectedKeys: [chosen] }}>
      <Button type="text" icon={icon} aria-label={title} title={title} />
    </DropMenu>
  )
}

export const LanguageMenu = () => {
  const { t } = useTranslation()
  const language = usePreferences((all) => all.language)
  return (
    <ChoiceMenu
      title={t('shell.language')}
      icon={<GlobalOutlined />}
      choices={languages}
      chosen={language}
      label={(key) => langNames[key]}
      onChoose={(key) => void chooseLanguage(key)}
    />
  )
}

export const ThemeMenu = () => {
  const { t } = useTranslation()
  const theme = usePreferences((all) => all.theme)
  return (
    <ChoiceMenu
      title={t('shell.theme')}
      icon={<BulbOutlined />}
      choices={themes}
      chosen={theme}
      label={(key) => t(`shell.${key}`)}
      onChoose={(key) => setPreferences({ theme: key })}
    />
  )
}

export const SizeMenu = () => {
  const { t } = useTranslation()
  const size = usePreferences((all) => all.size)
  return (
    <ChoiceMenu
      title={t('shell.size')}
      icon={<FontSizeOutlined />}
      choices={sizes}
      chosen={size}
      label={(key) => t(sizeTexts[key])}
      onChoose={chooseSize}
    />
  )
}
