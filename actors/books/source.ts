/** The source that samples the order books of tracked assets, and follows the large orders in them. */
import { minute } from '../../config/time.ts';
import type { JobContext, JobSource } from '../sources/context.ts';
import type { Job } from '../sources/job.ts';
import { Books, type BooksInputs } from './books.ts';

/** Between two samples of all books, ms. */
const every = minute;
/** Until the next look while no prices are known, ms. */
const soon = 3_000;

function samplesJob(books: Books): Job {
  let known = false;
  let begun = false;
  return {
    name: 'samples',
    every,
    wait: async () => {
      await books.adopt();
      return 0;
    },
    async run({ now, signal }) {
      // A process is ready once each job has run; a round of samples takes many seconds.
      if (!begun) {
        begun = true;
        return null;
      }
      const round = await books.sample(now, signal);
      known = round.asked > 0;
      return round.failure;
    },
    pause: () => (known ? every : soon),
  };
}

export const booksSource = (inputs: BooksInputs): JobSource => ({
  id: 'order-books',
  jobs: (context: JobContext) => [samplesJob(new Books(inputs, context))],
});
