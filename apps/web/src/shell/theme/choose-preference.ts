import { fault } from '#api/error.ts'
import { showError } from '#api/messages.ts'
import { fetchTexts, i18n, setLanguage } from '#texts/i18n.ts'
import { notify } from '#ui/notify.ts'
import { type Preferences, setPreferences } from './preferences.ts'

// SPEC 4: both switches show a success message.

export const chooseLanguage = async (language: Preferences['language']): Promise<void> => {
  try {
    await fetchTexts(language)
  } catch {
    return showError(fault('OFFLINE'))
  }
  setPreferences({ language })
  await setLanguage(language)
  notify.success(i18n.t('shell.languageSwitched'))
}

export const chooseSize = (size: Preferences['size']): void => {
  setPreferences({ size })
  notify.success(i18n.t('shell.sizeSwitched'))
}

export const sizeTexts = { default: 'shell.sizeDefault', large: 'shell.sizeLarge', small: 'shell.sizeSmall' } as const
