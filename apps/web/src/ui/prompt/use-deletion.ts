import type { Endpoint } from '@tocsin/contract/endpoint'
import type { ById } from '@tocsin/contract/page'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { confirm } from '../confirm.ts'
import { notify } from '../notify.ts'

/** Deletes one row after a question, and says so; by then the row that asked for it may be gone. */
export const useDeletion = (of: Endpoint & { query: typeof ById }) => {
  const { t } = useTranslation()
  const { mutate } = useApiMutation(of, { done: () => notify.success(t('list.deleted')) })
  return async (id: number, name: string) => {
    if (await confirm({ title: t('list.deleteAsk'), text: name, danger: true })) mutate({ query: { id } })
  }
}
