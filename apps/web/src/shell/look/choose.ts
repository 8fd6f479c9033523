import { fault } from '#api/error.ts'
import { showError } from '#api/notices.ts'
import { fetchTexts, i18n, speak } from '#texts/i18n.ts'
import { notify } from '#ui/notify.ts'
import { type Preferences, prefer } from './preferences.ts'

// SPEC 4: both switches say that they worked.

export const chooseLanguage = async (language: Preferences['language']): Promise<void> => {
  try {
    await fetchTexts(language)
  } catch {
    return showError(fault('OFFLINE'))
  }
  prefer({ language })
  await speak(language)
  notify.success(i18n.t('shell.languageSwitched'))
}

export const chooseSize = (size: Preferences['size']): void => {
  prefer({ size })
  notify.success(i18n.t('shell.sizeSwitched'))
}

export const sizeTexts = { default: 'shell.sizeDefault', large: 'shell.sizeLarge', small: 'shell.sizeSmall' } as const
