import { useTranslation } from 'react-i18next'

/** Time from planning to the receipt: milliseconds below one second, else seconds. */
export const Took = ({ ms }: { ms: number | null }) => {
  const { t } = useTranslation()
  if (ms === null) return <>–</>
  return (
    <>
      {ms < 1000 ? t('delivery.tookMs', { n: Math.max(0, ms) }) : t('delivery.tookSec', { n: (ms / 1000).toFixed(1) })}
    </>
  )
}
