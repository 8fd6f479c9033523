import type { Endpoint } from '@tocsin/contract/endpoint'
import type { ById } from '@tocsin/contract/page'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { confirm } from '../confirm.ts'
import { notify } from '../notify.ts'

/** Deletes one row after a question, and reports it; the row that requested it may be gone by then. */
export const useDeletion = (of: Endpoint & { query: typeof ById }) => {
  const { t } = useTranslation()
  const { mutate } = useApiMutation(of, { done: () => notify.success(t('list.deleted')) })
  return async (id: number, name: string) => {
    if (await confirm({ title: t('list.deleteAsk'), text: name, danger: true })) mutate({ query: { id } })
  }
}
