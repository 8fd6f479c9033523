import { i18n } from '#texts/i18n.ts'
import { notify } from '#ui/notify.ts'
import { type Preferences, prefer } from './preferences.ts'

// SPEC 4: both switches say that they worked.

export const chooseLanguage = async (language: Preferences['language']): Promise<void> => {
  prefer({ language })
  await i18n.changeLanguage(language)
  notify.success(i18n.t('shell.languageSwitched'))
}

export const chooseSize = (size: Preferences['size']): void => {
  prefer({ size })
  notify.success(i18n.t('shell.sizeSwitched'))
}

export const sizeTexts = { default: 'shell.sizeDefault', large: 'shell.sizeLarge', small: 'shell.sizeSmall' } as const
